import type { ResultLine } from '@quayside/contract/deployment'
import { askThreads, ThreadEnded } from '../../kernel/threads.ts'
import { aside } from './values-aside.ts'

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
export type SchemaAnswer = { findings: SchemaFinding[] } | { unusable: string }

const ask = askThreads<SchemaQuestion, SchemaAnswer>(new URL('./schema-worker.ts', import.meta.url), {
  limitMs: 3000,
  memoryMb: 256,
  most: 4,
})

/** Checks values against a chart's schema, in a thread of its own that is ended when it takes too long. */
export async function checkSchema(question: SchemaQuestion): Promise<SchemaAnswer> {
  try {
    return await ask(question)
  } catch (error) {
    if (error instanceof ThreadEnded) return { unusable: error.message }
    throw error
  }
}

/** Findings as lines for people: where it is, by path and by line of their text. */
export async function linesOf(
  findings: readonly SchemaFinding[],
  yaml: string,
  secrets: readonly (readonly string[])[],
): Promise<ResultLine[]> {
  const lines = await aside('lines', { yaml, paths: findings.map(({ path }) => path) })
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
