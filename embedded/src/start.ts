import { resolve } from 'node:path'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { launch } from './launch/launch.ts'

const root = resolve(import.meta.dirname, '../..')

// Whatever is written from here on is for its user alone.
process.umask(0o077)

try {
  process.exitCode = await launch({ root, env: process.env, dev: process.argv.includes('--dev') })
} catch (error) {
  // A sentence is for the person who started us; anything else is our own mistake and keeps its stack.
  console.error(error instanceof Obstacle ? `\n${error.message}` : error)
  process.exitCode = 1
}
// Whatever still holds the process open (a half-open socket, a timer) must not keep a terminal waiting.
setTimeout(() => process.exit(), 1_000).unref()
