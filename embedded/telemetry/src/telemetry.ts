import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { QueryLimits } from './http/routes.ts'
import type { Limits } from './storage/store.ts'

interface TelemetryOptions {
  dataDir: string
  /** A free one when it is 0. */
  port: number
  /** The bearer token that callers show. */
  token: string
  /** Samples older than this go. */
  keepDays?: number
  /** Most memory of the thread's heap. */
  heapMiB?: number
  limits?: Partial<Limits>
  query?: Partial<QueryLimits>
}

export interface ThreadOptions {
  file: string
  port: number
  token: string
  heapMiB: number
  limits: Limits
  query: QueryLimits
}

export interface Telemetry {
  /** The base address of the HTTP API. */
  url: string
  close(): Promise<void>
}

const HEAP_MIB = 96
const KEEP_DAYS = 7
const DAY_MS = 86_400_000
const LONGEST_PAUSE_MS = 30_000

const LIMITS = { mostBytes: 512 * 2 ** 20, mostSeries: 50_000 }
const QUERY: QueryLimits = { points: 11_000, samples: 5_000_000, ms: 30_000, answerBytes: 20 * 2 ** 20 }

/** Starts the API in a thread, and starts that again whenever it ends by itself. */
export async function startTelemetry(given: TelemetryOptions): Promise<Telemetry> {
  const { dataDir, port, token, heapMiB = HEAP_MIB, keepDays = KEEP_DAYS, limits, query } = given
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const options: ThreadOptions = {
    ...{ file: join(dataDir, 'metrics.sqlite'), port, token, heapMiB },
    limits: { ...LIMITS, keepMs: keepDays * DAY_MS, ...limits },
    query: { ...QUERY, ...query },
  }
  const closing = new AbortController()
  let running = await startThread(options)
  // A thread that is started again answers at the same address.
  options.port = running.port
  const kept = keepRunning()

  async function keepRunning(): Promise<void> {
    let pause = 100
    while (!closing.signal.aborted) {
      await running.ended
      if (closing.signal.aborted) return
      console.error('The telemetry thread ended by itself and is started again.')
      await delay(pause, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      const started = await startThread(options).catch((error: unknown) => {
        console.error('The telemetry thread could not be started:', error)
        return undefined
      })
      if (!started) continue
      running = started
      if (closing.signal.aborted) running.stop()
    }
  }

  return {
    url: `http://127.0.0.1:${options.port}`,
    async close() {
      closing.abort()
      running.stop()
      await running.ended
      await kept
    },
  }
}

/** A thread that answers; rejects when it ends before. */
async function startThread(options: ThreadOptions) {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMiB },
  })
  let failure: unknown
  worker.on('error', (error) => {
    failure = error
    console.error('The telemetry thread failed:', error)
  })
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve())
  })
  const early = ended.then(() => {
    throw failure ?? new Error('the thread ended before it answered')
  })
  early.catch(() => undefined)
  const [port] = (await Promise.race([once(worker, 'message'), early])) as [number]
  return { port, ended, stop: () => worker.postMessage('stop') }
}
