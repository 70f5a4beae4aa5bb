import { type Budget, LimitError } from '../evaluation/context.ts'
import { type Point, queryInstant, queryRange, type Result } from '../evaluation/query.ts'
import { type Labels, QueryError } from '../promql/expression.ts'
import type { Store } from '../storage/store.ts'
import { durationParameter, matchParameters, textParameter, timeParameter } from './parameters.ts'
import { readWriteRequest } from './remote-write.ts'

/** Most that one query may take. */
export interface QueryLimits {
  points: number
  samples: number
  ms: number
  answerBytes: number
}

export interface Asked {
  method: string
  path: string
  parameters: URLSearchParams
  body: Uint8Array
}

export interface Answer {
  code: number
  body?: unknown
}

const PREFIX = '/api/v1/'

const succeeded = (data: unknown): Answer => ({ code: 200, body: { status: 'success', data } })
const failed = (code: number, errorType: string, error: string): Answer => ({
  code,
  body: { status: 'error', errorType, error },
})

const shown = (value: number) => (value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value))
const shownPoint = ([time, value]: Point): [number, string] => [time, shown(value)]

function shownResult(value: Result): unknown {
  if (value.resultType === 'string') return value
  if (value.resultType === 'scalar') return { ...value, result: shownPoint(value.result) }
  const result = value.result.map((one) => {
    const metric = Object.fromEntries(one.metric)
    return 'value' in one ? { metric, value: shownPoint(one.value) } : { metric, values: one.values.map(shownPoint) }
  })
  return { resultType: value.resultType, result }
}

/** Answers calls of Prometheus' HTTP API out of a store. */
export function createRoutes(store: Store, limits: QueryLimits, now: () => number = Date.now) {
  const budget = (given: URLSearchParams): Budget => {
    const ms = Math.min(durationParameter(given, 'timeout', limits.ms), limits.ms)
    return { samples: limits.samples, deadline: performance.now() + ms }
  }
  const query = (given: URLSearchParams) =>
    queryInstant(store, budget(given), textParameter(given, 'query'), timeParameter(given, 'time', now()))
  const range = (given: URLSearchParams) => {
    const [start, end] = [timeParameter(given, 'start'), timeParameter(given, 'end')]
    const step = durationParameter(given, 'step')
    if (end < start) throw new QueryError('invalid parameter "end": end timestamp must not be before start time')
    if ((end - start) / step >= limits.points) {
      throw new QueryError(`exceeded maximum resolution of ${limits.points} points per timeseries`)
    }
    return queryRange(store, budget(given), textParameter(given, 'query'), { start, end, step })
  }
  const series = (given: URLSearchParams): Labels[] =>
    store.series(
      matchParameters(given),
      timeParameter(given, 'start', -Infinity),
      timeParameter(given, 'end', Infinity),
    )
  const names = (given: URLSearchParams) => [...new Set(series(given).flatMap((labels) => [...labels.keys()]))].sort()
  const values = (name: string, given: URLSearchParams) =>
    [...new Set(series(given).flatMap((labels) => labels.get(name) ?? []))].sort()
  const limited = <T>(given: URLSearchParams, all: T[]): T[] => {
    const limit = Number(given.get('limit') ?? 0)
    return limit > 0 ? all.slice(0, limit) : all
  }

  function read(path: string, given: URLSearchParams): unknown {
    const label = /^label\/([^/]+)\/values$/.exec(path)?.[1]
    if (label !== undefined) return limited(given, values(decodeURIComponent(label), given))
    switch (path) {
      case 'query':
        return shownResult(query(given))
      case 'query_range':
        return shownResult(range(given))
      case 'labels':
        return limited(given, names(given))
      case 'series':
        if (!given.has('match[]')) throw new QueryError('no match[] parameter provided')
        return limited(given, series(given)).map((labels) => Object.fromEntries(labels))
      case 'status/buildinfo':
        return { version: '2.55.0', application: 'quayside-telemetry' }
      default:
        return undefined
    }
  }

  function write(body: Uint8Array): Answer {
    const { refused } = store.write(readWriteRequest(body))
    if (refused === 0) return { code: 204 }
    return failed(400, 'bad_data', `${refused} samples belong to series beyond the number that is kept`)
  }

  return (asked: Asked): Answer => {
    try {
      if (asked.path === '/-/healthy' || asked.path === '/-/ready') return { code: 200, body: 'ready' }
      const path = asked.path.startsWith(PREFIX) ? asked.path.slice(PREFIX.length) : ''
      if (path === 'write') return asked.method === 'POST' ? write(asked.body) : failed(405, 'bad_data', 'use POST')
      const data = read(path, asked.parameters)
      return data === undefined ? failed(404, 'not_found', 'no such path') : bounded(succeeded(data), limits)
    } catch (error) {
      if (error instanceof LimitError) return failed(error.kind === 'timeout' ? 503 : 422, error.kind, error.message)
      if (error instanceof QueryError || error instanceof URIError) return failed(400, 'bad_data', error.message)
      throw error
    }
  }
}

function bounded(answer: Answer, { answerBytes }: QueryLimits): Answer {
  const text = JSON.stringify(answer.body)
  if (text.length <= answerBytes) return { code: answer.code, body: text }
  return failed(422, 'execution', `the answer is longer than ${answerBytes} bytes: ask for fewer series or points`)
}
