import { resolve } from 'node:path'
import { errorCode, Obstacle } from '@quayside/embedded-postgres/obstacle'
import { unlockFromTerminal } from './launch/unlock.ts'

/** `npm run unlock`: for whom nobody can let in by the portal. */
try {
  const root = resolve(import.meta.dirname, '../..')
  process.exitCode = await unlockFromTerminal(process.argv.slice(3), process.env, root, (line) => console.log(line))
} catch (error) {
  const isRefused = error instanceof TypeError && errorCode(error.cause) === 'ECONNREFUSED'
  const told = isRefused ? 'The identity server does not answer. Start the portal first.' : error
  console.error(error instanceof Obstacle ? error.message : told)
  process.exitCode = 1
}
