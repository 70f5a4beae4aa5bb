import { type Point, queryInstant, queryRange, type Result } from '../evaluation/query.ts'
import type { Labels } from '../promql/expression.ts'
import { keyOf } from '../promql/labels.ts'
import { openStore, type Store } from '../storage/store.ts'
import { type Evaluation, readScript, type SeriesLine, samplesOf } from './script.ts'

const UNLIMITED = { keepMs: Infinity, mostBytes: Infinity, mostSeries: Infinity }
const EPSILON = 1e-6

/** An evaluation with its outcome: nothing, or how the answer differs from what is expected. */
interface Outcome {
  line: number
  query: string
  problem: string | undefined
}

/** Runs a test script on a store of its own. */
export function runScript(text: string): Outcome[] {
  let store = openStore(':memory:', UNLIMITED)
  const outcomes: Outcome[] = []
  for (const command of readScript(text)) {
    if (command.kind === 'clear') {
      store.close()
      store = openStore(':memory:', UNLIMITED)
    } else if (command.kind === 'load') {
      store.write(
        command.series.map((series) => samplesOf(series, command.step)).filter(({ times }) => times.length > 0),
      )
    } else {
      outcomes.push({ line: command.line, query: command.query, problem: problemOf(store, command) })
    }
  }
  store.close()
  return outcomes
}

function problemOf(store: Store, evaluation: Evaluation): string | undefined {
  if (evaluation.isNative) return 'native histograms'
  let result: Result
  const budget = { samples: 50_000_000, deadline: Infinity }
  try {
    result = evaluation.range
      ? queryRange(store, budget, evaluation.query, evaluation.range)
      : queryInstant(store, budget, evaluation.query, evaluation.at)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (/not supported/.test(message)) return message
    return evaluation.fails ? undefined : `failed: ${message}`
  }
  if (evaluation.fails) return 'should have failed'
  return differenceOf(evaluation, result)
}

function differenceOf(evaluation: Evaluation, result: Result): string | undefined {
  if (result.resultType === 'string') return result.result[1] === evaluation.text ? undefined : 'another text'
  if (result.resultType === 'scalar') {
    const wanted = evaluation.scalar
    return wanted !== undefined && isNear(result.result[1], wanted)
      ? undefined
      : `${result.result[1]} instead of ${wanted}`
  }
  const found = new Map<string, { metric: Labels; values: Point[] }>()
  for (const one of result.result) {
    found.set(keyOf(one.metric), { metric: one.metric, values: 'value' in one ? [one.value] : one.values })
  }
  const wanted =
    evaluation.scalar === undefined ? evaluation.expected : [{ labels: new Map(), values: [evaluation.scalar] }]
  if (found.size !== wanted.length) return `${found.size} series instead of ${wanted.length}`
  if (evaluation.ordered) {
    const order = [...found.keys()].join() === wanted.map(({ labels }) => keyOf(labels)).join()
    if (!order) return 'another order'
  }
  for (const line of wanted) {
    const one = found.get(keyOf(line.labels))
    if (!one) return `no series ${JSON.stringify([...line.labels])}`
    const difference = differentPoint(evaluation, line, one.values)
    if (difference) return difference
  }
  return undefined
}

function differentPoint({ range }: Evaluation, { values }: SeriesLine, points: readonly Point[]): string | undefined {
  const numbers = values.flatMap((value, index) => (typeof value === 'number' ? [{ value, index }] : []))
  if (numbers.length !== points.length) return `${points.length} points instead of ${numbers.length}`
  for (const [place, { value, index }] of numbers.entries()) {
    const [time, got] = points[place] ?? [0, 0]
    if (range && Math.abs(time * 1000 - (range.start + index * range.step)) > 0.5) return `a point at ${time}`
    if (!isNear(got, value)) return `${got} instead of ${value} at point ${place}`
  }
  return undefined
}

function isNear(one: number, other: number): boolean {
  if (Object.is(one, other) || one === other) return true
  if (!Number.isFinite(one) || !Number.isFinite(other)) return false
  const distance = Math.abs(one - other)
  const size = Math.abs(one) + Math.abs(other)
  return distance / Math.min(size, Number.MAX_VALUE) < EPSILON
}
