import type { ResultLine } from '@quayside/contract/deployment'
import { openYaml } from '@quayside/contract/values/yaml-document'
import { isNode } from 'yaml'
import { askThreads, ThreadEnded } from '../../kernel/threads.ts'
import { isRecord, type Values } from './values.ts'

export interface SchemaQuestion {
  schema: unknown
  values: unknown
}
export interface SchemaFinding {
  path: string[]
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
export function linesOf(
  findings: readonly SchemaFinding[],
  yaml: string,
  secrets: readonly (readonly string[])[],
): ResultLine[] {
  const document = openYaml(yaml)
  return findings.map(({ path, message, allowed }) => {
    const isSecret = secrets.some((secret) => secret.every((part, index) => part === '*' || path[index] === part))
    const choices = allowed && !isSecret ? `: ${allowed.join(', ')}` : ''
    const name = path.join('.')
    return {
      message: `${name || 'values'} ${message}${choices}`,
      isSummary: false,
      resultType: 'error',
      provider: 'Schema',
      path: name,
      line: lineAt(yaml, positionOf(document, path)),
    }
  })
}

type Document = ReturnType<typeof openYaml>

/** Where the deepest part of a path that is written down begins. */
function positionOf(document: Document, path: readonly string[]): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(
      path.slice(0, length).map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
      true,
    )
    if (isNode(node) && node.range) return node.range[0]
  }
  return undefined
}

function lineAt(text: string, position: number | undefined): number | undefined {
  return position === undefined ? undefined : text.slice(0, position).split('\n').length
}

/** What a chart gets: its own values with the given ones laid over; null takes a value away. */
export function coalesce(defaults: unknown, given: unknown): unknown {
  if (!isRecord(given) || !isRecord(defaults)) return given === undefined ? defaults : given
  const merged: Values = { ...defaults }
  for (const [key, value] of Object.entries(given)) {
    if (value === null) delete merged[key]
    else merged[key] = Object.hasOwn(defaults, key) ? coalesce(defaults[key], value) : value
  }
  return merged
}
