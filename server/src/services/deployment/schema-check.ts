import { Worker } from 'node:worker_threads'
import type { ResultLine } from '@quayside/contract/deployment'
import { openYaml } from '@quayside/contract/values/yaml-document'
import { isNode } from 'yaml'
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

const limitMs = 3000
const keptMs = 5 * 60_000

/** A thread that waits for the next question: starting one costs more than most checks. */
let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined

/** Checks values against a chart's schema, in a thread of its own that is ended when it takes too long. */
export function checkSchema(question: SchemaQuestion): Promise<SchemaAnswer> {
  const worker = takeWorker()
  return new Promise((resolve) => {
    const end = (answer: SchemaAnswer, isUsable: boolean) => {
      clearTimeout(timer)
      worker.removeAllListeners('message').removeAllListeners('error')
      resolve(answer)
      keepOrEnd(worker, isUsable)
    }
    const timer = setTimeout(
      () => end({ unusable: `it takes longer than ${limitMs / 1000} s to check` }, false),
      limitMs,
    )
    worker.once('message', (answer: SchemaAnswer) => end(answer, true))
    worker.once('error', (error) => end({ unusable: error.message }, false))
    worker.postMessage(question)
  })
}

function takeWorker(): Worker {
  if (idle) {
    const { worker, timer } = idle
    idle = undefined
    clearTimeout(timer)
    worker.removeAllListeners('error')
    worker.ref()
    return worker
  }
  return new Worker(new URL('./schema-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    env: {},
  })
}

/** Keeps one thread for a while, without holding the process open for it. */
function keepOrEnd(worker: Worker, isUsable: boolean): void {
  if (!isUsable || idle) {
    // Whatever it still says, its question is answered.
    worker.once('error', () => undefined)
    void worker.terminate()
    return
  }
  const drop = () => {
    if (idle?.worker === worker) idle = undefined
    void worker.terminate()
  }
  worker.once('error', drop)
  worker.unref()
  idle = { worker, timer: setTimeout(drop, keptMs).unref() }
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
