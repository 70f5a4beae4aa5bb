import { resolve } from 'node:path'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { restore } from './backup/restore.ts'

/** `npm run restore -- <file>`. */
try {
  const root = resolve(import.meta.dirname, '../..')
  process.exitCode = await restore(process.argv.slice(3), process.env, root, (line) => console.log(line))
} catch (error) {
  console.error(error instanceof Obstacle ? error.message : error)
  process.exitCode = 1
}
