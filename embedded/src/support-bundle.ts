import { resolve } from 'node:path'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { supportBundle } from './launch/support-bundle.ts'

/** `npm run support-bundle -- <file>`. */
try {
  const root = resolve(import.meta.dirname, '../..')
  process.exitCode = await supportBundle(process.argv.slice(3), process.env, root, (line) => console.log(line))
} catch (error) {
  console.error(error instanceof Obstacle ? error.message : error)
  process.exitCode = 1
}
