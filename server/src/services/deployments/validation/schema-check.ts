import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import { createWorkerPool, WorkerEnded } from '../../../platform/concurrency/worker-pool.ts'
import { inWorker } from '../values/values-pool.ts'

export interface SchemaQuestion {
  schema: unknown
  values: unknown
}
export interface SchemaFinding {
  path: string[]
  /** The path in words. */
  place: string
  message: string
  allowed: string[] | null
}
/** Findings, or the reason why there are none and what a person can do about it. */
export type SchemaAnswer = { findings: SchemaFinding[] } | { unusable: string; remedy: string }

const ask = createWorkerPool<SchemaQuestion, SchemaAnswer>(new URL('./schema-worker.ts', import.meta.url), {
  // Values that were not checked in this time are refused, so it leaves room for a busy machine.
  limitMs: 5000,
  memoryMb: 256,
  most: 4,
})

const tooSlow =
  'Shorten the values that the schema has a pattern for, or use a version of the chart whose schema can be checked.'

/** Checks values against a chart's schema, in a thread of its own that is ended when it takes too long. */
export async function checkSchema(question: SchemaQuestion): Promise<SchemaAnswer> {
  try {
    return await ask(question)
  } catch (error) {
    if (error instanceof WorkerEnded) return { unusable: error.message, remedy: tooSlow }
    throw error
  }
}

/** Findings as lines for people: where it is, by path and by line of their text. */
export async function linesOf(
  findings: readonly SchemaFinding[],
  yaml: string,
  secrets: readonly (readonly string[])[],
): Promise<ResultLine[]> {
  const lines = await inWorker('lines', { yaml, paths: findings.map(({ path }) => path) })
  return findings.map(({ path, place, message, allowed }, index) => {
    const isSecret = secrets.some((secret) => secret.every((part, index) => part === '*' || path[index] === part))
    const choices = allowed && !isSecret ? `: ${allowed.join(', ')}` : ''
    const name = path.join('.')
    return {
      message: `${place || 'values'} ${message}${choices}`,
      isSummary: false,
      resultType: 'error',
      provider: 'Schema',
      path: name,
      line: lines[index],
    }
  })
}
