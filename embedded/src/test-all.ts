import { resolve } from 'node:path'
import { runStages } from './test-run/stages.ts'

const { passed, failed } = await runStages(resolve(import.meta.dirname, '..', '..'))
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`)
