import type { Compared, YamlReading } from './yaml-reading.ts'
import { readYaml } from './yaml-reading.ts'
import type { Answer, Question } from './yaml-worker.ts'

/** A text of this size is read between two frames. */
const shortBelow = 4 * 1024
const restMs = 60_000

interface Reader {
  worker: Worker
  waiting: Map<number, { resolve: (reading: YamlReading) => void; reject: (error: Error) => void }>
  rest: ReturnType<typeof setTimeout> | undefined
}

let reader: Reader | undefined
let last = 0

/** Reads a text beside the page, so that typing goes on meanwhile; short ones at once. */
export async function readAside(text: string, compared?: Compared, schema?: unknown): Promise<YamlReading> {
  if (text.length < shortBelow || typeof Worker === 'undefined') return readYaml(text, compared, schema)
  reader ??= started()
  const { worker, waiting, rest } = reader
  clearTimeout(rest)
  last += 1
  const question: Question = { id: last, text, compared, schema }
  return new Promise((resolve, reject) => {
    waiting.set(question.id, { resolve, reject })
    worker.postMessage(question)
  })
}

function started(): Reader {
  const worker = new Worker(new URL('./yaml-worker.ts', import.meta.url), { type: 'module' })
  const one: Reader = { worker, waiting: new Map(), rest: undefined }
  worker.addEventListener('message', ({ data: { id, ...reading } }: MessageEvent<Answer>) => {
    one.waiting.get(id)?.resolve(reading)
    one.waiting.delete(id)
    if (one.waiting.size === 0) one.rest = setTimeout(() => stop(one), restMs)
  })
  worker.addEventListener('error', (event) => {
    for (const { reject } of one.waiting.values()) reject(new Error(event.message))
    stop(one)
  })
  return one
}

function stop(one: Reader): void {
  one.worker.terminate()
  if (reader === one) reader = undefined
}
