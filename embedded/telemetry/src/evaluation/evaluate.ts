import {
  type Call,
  type Expression,
  type Matcher,
  QueryError,
  type Selector,
  type Subquery,
} from '../promql/expression.ts'
import { keyOf, labelsOf, NAME } from '../promql/labels.ts'
import { aggregate } from './aggregate.ts'
import { evaluateBinary } from './binary.ts'
import { type Context, spend, timeOf } from './context.ts'
import { histogramQuantile } from './histogram.ts'
import { DATE_FUNCTIONS, NUMBER_FUNCTIONS } from './number-functions.ts'
import { labelJoin, labelReplace } from './relabel.ts'
import { overWindows, selectInstant, selectTracks, subqueryContext, type Track, tracksOf } from './select.ts'
import { emptySeries, type Series, type Value } from './value.ts'
import { KEEPS_NAME, WINDOW_FUNCTIONS } from './window-functions.ts'

type Ranged = (Selector | Subquery) & { range: number }

/** The value of an expression at each step. */
export function evaluate(context: Context, expression: Expression): Value {
  spend(context.budget, 0)
  switch (expression.kind) {
    case 'number':
      return { type: 'scalar', values: new Float64Array(context.steps).fill(expression.value) }
    case 'string':
      return { type: 'string', value: expression.value }
    case 'selector':
      return { type: 'vector', series: selectInstant(context, expression) }
    case 'negation': {
      const inner = evaluate(context, expression.inner)
      if (inner.type === 'scalar') return { type: 'scalar', values: inner.values.map((value) => -value) }
      return vector(seriesOf(inner).map((one) => mapped(one, (value) => -value)))
    }
    case 'aggregation': {
      const { parameter } = expression
      const given = parameter && evaluate(context, parameter)
      const value = given?.type === 'string' ? given.value : given?.type === 'scalar' ? given.values : undefined
      return vector(aggregate(context, expression, seriesOf(evaluate(context, expression.inner)), value))
    }
    case 'binary': {
      const left = evaluate(context, expression.left)
      return evaluateBinary(context, expression, left, evaluate(context, expression.right))
    }
    case 'call':
      return evaluateCall(context, expression)
    case 'subquery':
      throw new QueryError('a range vector is no result of a range query')
  }
}

const vector = (series: Series[]): Value => ({ type: 'vector', series })

function seriesOf(value: Value): Series[] {
  if (value.type === 'vector') return value.series
  throw new QueryError(`expected an instant vector, got ${value.type}`)
}

function mapped(series: Series, map: (value: number, index: number) => number): Series {
  return { ...series, nameless: true, values: series.values.map(map) }
}

/** Samples that a range selector or a subquery stands for. */
export function tracksIn(context: Context, ranged: Ranged): Track[] {
  if (ranged.kind === 'selector') return selectTracks(context, ranged)
  const inner = subqueryContext(context, ranged)
  if (inner.steps === 0) return []
  spend(context.budget, inner.steps)
  return tracksOf(inner, seriesOf(evaluate(inner, ranged.inner)))
}

function isRanged(expression: Expression | undefined): expression is Ranged {
  return (expression?.kind === 'selector' && expression.range !== undefined) || expression?.kind === 'subquery'
}

function evaluateCall(context: Context, call: Call): Value {
  const { name, args } = call
  const ranged = args.find(isRanged)
  if (ranged) return vector(overRange(context, call, ranged))
  if (name === 'time') return { type: 'scalar', values: times(context) }
  if (name === 'pi') return { type: 'scalar', values: new Float64Array(context.steps).fill(Math.PI) }
  const direct = args[0]
  if (name === 'timestamp' && direct?.kind === 'selector') return vector(selectInstant(context, direct, true))
  const values = args.map((argument) => evaluate(context, argument))
  const first = values[0]
  const dateOf = DATE_FUNCTIONS[name]
  if (dateOf) {
    const series = first ? seriesOf(first) : [constant(context, times(context))]
    return vector(series.map((one) => mapped(one, dateOf)))
  }
  if (name === 'vector' && first?.type === 'scalar') return vector([constant(context, first.values)])
  if (name === 'histogram_quantile' && first?.type === 'scalar' && values[1]) {
    return vector(histogramQuantile(context, first.values, seriesOf(values[1])))
  }
  if (!first) throw new QueryError(`the function ${name} is not supported`)
  return ofSeries(context, call, seriesOf(first), values.slice(1))
}

function ofSeries(context: Context, { name, args }: Call, series: Series[], rest: readonly Value[]): Value {
  const strings = rest.flatMap((value) => (value.type === 'string' ? [value.value] : []))
  const scalars = rest.flatMap((value) => (value.type === 'scalar' ? [value.values] : []))
  const number = NUMBER_FUNCTIONS[name]
  if (number) return vector(series.map((one) => withNumbers(context, name, one, number, scalars)))
  switch (name) {
    case 'scalar':
      return { type: 'scalar', values: onlyValues(context, series) }
    case 'absent':
      return vector([absence(context, args[0], series)])
    case 'timestamp':
      return vector(series.map((one) => mapped(one, (_, index) => timeOf(context, index) / 1000)))
    case 'label_replace':
      return vector(labelReplace(series, strings))
    case 'label_join':
      return vector(labelJoin(series, strings))
    case 'sort':
    case 'sort_desc':
      return vector(sorted(context, series, name === 'sort'))
    case 'sort_by_label':
    case 'sort_by_label_desc':
      return vector(sortedByLabels(series, strings, name === 'sort_by_label' ? 1 : -1))
    default:
      throw new QueryError(`the function ${name} is not supported`)
  }
}

function withNumbers(
  context: Context,
  name: string,
  series: Series,
  evaluateOne: (value: number, ...scalars: number[]) => number,
  scalars: readonly Float64Array[],
): Series {
  const made = emptySeries(series.labels, context.steps)
  for (let index = 0; index < context.steps; index++) {
    const numbers = scalars.map((values) => values[index] ?? 0)
    const isImpossible = name === 'clamp' && (numbers[0] ?? 0) > (numbers[1] ?? 0)
    if (!series.has[index] || isImpossible) continue
    made.values[index] = evaluateOne(series.values[index] ?? 0, ...numbers)
    made.has[index] = 1
  }
  return made
}

function overRange(context: Context, { name, args }: Call, ranged: Ranged): Series[] {
  const tracks = tracksIn(context, ranged)
  const scalars = args.flatMap((argument) => {
    const value = argument === ranged ? undefined : evaluate(context, argument)
    return value?.type === 'scalar' ? [value.values] : []
  })
  if (name === 'absent_over_time') {
    return [
      absence(
        context,
        ranged,
        tracks.map((track) => overWindows(context, ranged, track, () => 1)),
      ),
    ]
  }
  const ofWindow = WINDOW_FUNCTIONS[name]
  if (!ofWindow) throw new QueryError(`the function ${name} is not supported`)
  return tracks.map((track) => {
    spend(context.budget, context.steps)
    const series = overWindows(context, ranged, track, (window, index) =>
      ofWindow(window, ...scalars.map((values) => values[index] ?? 0)),
    )
    return KEEPS_NAME.has(name) ? { ...series, nameless: track.nameless } : series
  })
}

const times = (context: Context) =>
  Float64Array.from({ length: context.steps }, (_, index) => timeOf(context, index) / 1000)

function constant(context: Context, values: Float64Array): Series {
  return { labels: new Map(), nameless: true, values, has: new Uint8Array(context.steps).fill(1) }
}

/** The value where exactly one series has one. */
function onlyValues(context: Context, series: readonly Series[]): Float64Array {
  return Float64Array.from({ length: context.steps }, (_, index) => {
    const present = series.filter(({ has }) => has[index])
    return present.length === 1 ? (present[0]?.values[index] ?? Number.NaN) : Number.NaN
  })
}

/** A series of ones where no series has a value, with the labels that the selector asks for. */
function absence(context: Context, selector: Expression | undefined, series: readonly Series[]): Series {
  const made = constant(context, new Float64Array(context.steps).fill(1))
  for (let index = 0; index < context.steps; index++) if (series.some(({ has }) => has[index])) made.has[index] = 0
  return { ...made, labels: selector?.kind === 'selector' ? askedLabels(selector.matchers) : new Map() }
}

function askedLabels(matchers: readonly Matcher[]) {
  const named = matchers.filter(({ label }) => label !== NAME)
  const once = named.filter(
    ({ label, op }) => op === '=' && named.filter((other) => other.label === label).length === 1,
  )
  return labelsOf(once.map(({ label, value }) => [label, value] as const))
}

/** Order by value; it shows in the answer to an instant query. */
function sorted(context: Context, series: Series[], isRising: boolean): Series[] {
  if (context.steps !== 1) return series
  return series.toSorted((one, other) => {
    const [a, b] = [one.values[0] ?? 0, other.values[0] ?? 0]
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
    return a === b ? 0 : a < b === isRising ? -1 : 1
  })
}

function sortedByLabels(series: Series[], names: readonly string[], direction: number): Series[] {
  const compare = new Intl.Collator('en', { numeric: true }).compare
  return series.toSorted((one, other) => {
    for (const name of names) {
      const order = compare(one.labels.get(name) ?? '', other.labels.get(name) ?? '')
      if (order !== 0) return order * direction
    }
    return keyOf(one.labels) < keyOf(other.labels) ? -direction : direction
  })
}
