import { resolve } from 'node:path'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { launch } from './launch/launch.ts'

const root = resolve(import.meta.dirname, '../..')

// Files that are written from here on are readable for their user only.
process.umask(0o077)

try {
  process.exitCode = await launch({ root, env: process.env, dev: process.argv.includes('--dev') })
} catch (error) {
  // A sentence is for the person who started us; anything else is our own mistake and keeps its stack.
  console.error(error instanceof Obstacle ? `\n${error.message}` : error)
  process.exitCode = 1
}
// A half-open socket or a timer can hold the process open; a terminal does not wait for it.
setTimeout(() => process.exit(), 1_000).unref()
