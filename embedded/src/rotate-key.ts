import { resolve } from 'node:path'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { rotateKey } from './launch/rotate-key.ts'

// Files that are written from here on are readable for their user only.
process.umask(0o077)

/** `npm run rotate-key`. */
try {
  const root = resolve(import.meta.dirname, '../..')
  process.exitCode = await rotateKey(process.argv.slice(3), process.env, root, (line) => console.log(line))
} catch (error) {
  console.error(error instanceof Obstacle ? error.message : error)
  process.exitCode = 1
}
