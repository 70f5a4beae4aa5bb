import { type Labels, QueryError } from '../promql/expression.ts'
import { keyOf, withoutName } from '../promql/labels.ts'
import { parseQuery } from '../promql/parse.ts'
import type { Budget, Context } from './context.ts'
import { evaluate, tracksIn } from './evaluate.ts'
import type { Series, Source, Value } from './value.ts'

/** Seconds with a value. */
export type Point = [number, number]

export type Result =
  | { resultType: 'scalar'; result: Point }
  | { resultType: 'string'; result: [number, string] }
  | { resultType: 'vector'; result: { metric: Labels; value: Point }[] }
  | { resultType: 'matrix'; result: { metric: Labels; values: Point[] }[] }

/** Names that go, go; series that are the same after that are one, unless they have values at the same step. */
function finished(series: readonly Series[]): Series[] {
  const byKey = new Map<string, Series>()
  for (const one of series) {
    if (!one.has.includes(1)) continue
    const labels = one.nameless ? withoutName(one.labels) : one.labels
    const key = keyOf(labels)
    const same = byKey.get(key)
    if (!same) {
      byKey.set(key, { ...one, labels })
      continue
    }
    const joined = { ...same, values: same.values.slice(), has: same.has.slice() }
    one.has.forEach((has, index) => {
      if (!has) return
      if (joined.has[index]) throw new QueryError('vector cannot contain metrics with the same labelset')
      joined.values[index] = one.values[index] ?? 0
      joined.has[index] = 1
    })
    byKey.set(key, joined)
  }
  return [...byKey.values()]
}

const finishedValue = (value: Value): Value =>
  value.type === 'vector' ? { type: 'vector', series: finished(value.series) } : value

/** The answer to a query at one moment, in milliseconds since 1970. */
export function queryInstant(source: Source, budget: Budget, text: string, at: number): Result {
  const expression = parseQuery(text)
  const context: Context = { source, budget, start: at, end: at, step: 1, steps: 1, queryStart: at, queryEnd: at }
  const seconds = at / 1000
  if (expression.kind === 'subquery' || (expression.kind === 'selector' && expression.range !== undefined)) {
    return { resultType: 'matrix', result: windowOf(context, expression as Parameters<typeof tracksIn>[1]) }
  }
  const value = finishedValue(evaluate(context, expression))
  if (value.type === 'string') return { resultType: 'string', result: [seconds, value.value] }
  if (value.type === 'scalar') return { resultType: 'scalar', result: [seconds, value.values[0] ?? Number.NaN] }
  const result = value.series.map(({ labels, values }) => ({
    metric: labels,
    value: [seconds, values[0] ?? 0] as Point,
  }))
  return { resultType: 'vector', result }
}

function windowOf(context: Context, ranged: Parameters<typeof tracksIn>[1]) {
  const { at, offset, range } = ranged
  const end = (typeof at === 'number' ? at : context.start) - offset
  return tracksIn(context, ranged).flatMap(({ labels, nameless, times, values }) => {
    const points: Point[] = []
    times.forEach((time, index) => {
      if (time > end - range && time <= end) points.push([time / 1000, values[index] ?? 0])
    })
    return points.length > 0 ? [{ metric: nameless ? withoutName(labels) : labels, values: points }] : []
  })
}

interface Range {
  start: number
  end: number
  step: number
}

/** The answer to a query at each step from start to end, in milliseconds. */
export function queryRange(source: Source, budget: Budget, text: string, { start, end, step }: Range): Result {
  const expression = parseQuery(text)
  const steps = Math.floor((end - start) / step) + 1
  const context: Context = { source, budget, start, end, step, steps, queryStart: start, queryEnd: end }
  const value = finishedValue(evaluate(context, rangeable(expression)))
  if (value.type === 'string') throw new QueryError('invalid expression type "string" for range query')
  const point = (values: Float64Array, index: number): Point => [(start + index * step) / 1000, values[index] ?? 0]
  if (value.type === 'scalar') {
    return {
      resultType: 'matrix',
      result: [{ metric: new Map(), values: Array.from(value.values, (_, index) => point(value.values, index)) }],
    }
  }
  const result = value.series.map(({ labels, values, has }) => ({
    metric: labels,
    values: Array.from(has.keys()).flatMap((index) => (has[index] ? [point(values, index)] : [])),
  }))
  return { resultType: 'matrix', result }
}

function rangeable(expression: ReturnType<typeof parseQuery>) {
  const isRange = expression.kind === 'subquery' || (expression.kind === 'selector' && expression.range !== undefined)
  if (isRange)
    throw new QueryError('invalid expression type "range vector" for range query, must be Scalar or instant Vector')
  return expression
}
