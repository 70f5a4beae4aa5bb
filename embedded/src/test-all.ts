import { resolve } from 'node:path'
import { longLine, runStages, shortLine } from './test-run/stages.ts'

const line = process.argv.includes('--long') ? longLine : shortLine
const { passed, failed } = await runStages(resolve(import.meta.dirname, '..', '..'), line)
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`)
