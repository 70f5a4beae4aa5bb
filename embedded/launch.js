// Plain JavaScript, so that an old Node can still read what it is told here.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
const scripts = ['start', 'test-all', 'unlock', 'backup', 'restore', 'rotate-key', 'support-bundle']
const script = process.argv[2]

if (!existsSync(new URL('../node_modules', import.meta.url))) {
  console.error('Quayside is not installed yet. Run "npm ci" in this folder first.')
  process.exitCode = 1
} else if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Quayside needs Node 22.19 or newer; this is ${process.version}. "npm start" and "npm test" bring a newer Node along` +
      ' on Linux and Windows (run "npm ci" again when they do not); elsewhere install Node 24.',
  )
  process.exitCode = 1
} else if (!scripts.includes(script)) {
  console.error(`Usage: node embedded/launch.js ${scripts.join('|')}`)
  process.exitCode = 1
} else {
  // Compiled once, a second start loads in half the time; where the folder cannot be written, nothing is kept.
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
  await import(`./src/${script}.ts`)
}
