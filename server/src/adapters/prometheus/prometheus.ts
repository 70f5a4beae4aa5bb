import { z } from 'zod'
import type { Config } from '../../platform/config/config.ts'
import { fail } from '../../platform/http/errors.ts'
import { type Sample, writeRequest } from './remote-write.ts'

/** Milliseconds since 1970, and seconds from one point to the next. */
interface Range {
  from: number
  to: number
  stepSeconds: number
}
type Labels = Readonly<Record<string, string>>

/** A server that speaks Prometheus' HTTP API and remote write. Queries are ours: no text of a caller is PromQL. */
export interface Prometheus {
  /** Resolves to whether all were taken: a server refuses some of a request, such as those of one series too many. */
  write(samples: readonly Sample[], at: number): Promise<boolean>
  /** Values by time, one list for each series; an empty answer is an empty list. */
  range(query: string, range: Range): Promise<{ labels: Labels; values: [number, number][] }[]>
  now(query: string): Promise<{ labels: Labels; value: number }[]>
}

const timeoutMs = 15_000
const mostBytes = 20 * 2 ** 20
const longestReason = 2000
/** Receivers of remote write answer so when they have taken the good samples of a request and not the others. */
const partlyRefused = 400

const Point = z.tuple([z.number(), z.string()]).transform(([at, value]): [number, number] => [at, Number(value)])
const Metric = z.record(z.string(), z.string())
const Matrix = z.array(z.object({ metric: Metric, values: z.array(Point) }))
const Vector = z.array(z.object({ metric: Metric, value: Point }))
const Reply = z.object({ status: z.literal('success'), data: z.object({ result: z.unknown() }) })

export function createPrometheus({ url, writeUrl, authorization }: NonNullable<Config['prometheus']>): Prometheus {
  async function send(
    address: string,
    body: BodyInit,
    headers: Record<string, string>,
    accepted?: number,
  ): Promise<Response> {
    const answer = await fetch(address, {
      method: 'POST',
      body,
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(unreachable)
    if (answer.ok || answer.status === accepted) return answer
    const text = await startOf(answer, longestReason).catch(() => '')
    throw fail('metrics.refused', { cause: new Error(`${new URL(address).origin} answers ${answer.status}: ${text}`) })
  }

  async function ask<T>(path: string, given: Record<string, string>, shape: z.ZodType<T>): Promise<T> {
    const answer = await send(`${url}/api/v1/${path}`, new URLSearchParams(given), {})
    const text = await bounded(answer, mostBytes).catch(unreachable)
    try {
      return shape.parse(Reply.parse(JSON.parse(text)).data.result)
    } catch (cause) {
      throw fail('metrics.refused', { cause })
    }
  }

  return {
    async write(samples, at) {
      const headers = {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'snappy',
        'x-prometheus-remote-write-version': '0.1.0',
      }
      const answer = await send(writeUrl, writeRequest(samples, at) as BodyInit, headers, partlyRefused)
      await answer.body?.cancel()
      return answer.ok
    },
    async range(query, { from, to, stepSeconds }) {
      const given = { query, start: String(from / 1000), end: String(to / 1000), step: String(stepSeconds) }
      const found = await ask('query_range', given, Matrix)
      return found.map(({ metric, values }) => ({ labels: metric, values }))
    },
    async now(query) {
      const found = await ask('query', { query }, Vector)
      return found.map(({ metric, value: [, value] }) => ({ labels: metric, value }))
    },
  }
}

function unreachable(cause: unknown): never {
  throw fail('metrics.unreachable', { cause })
}

/** The first bytes of an answer, of which the rest is not read. */
async function startOf(answer: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of answer.body ?? []) {
    parts.push(part)
    length += part.length
    if (length >= most) break
  }
  return Buffer.concat(parts).subarray(0, most).toString('utf8')
}

async function bounded(answer: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of answer.body ?? []) {
    length += part.length
    if (length > most) throw new Error(`the answer is longer than ${most} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
