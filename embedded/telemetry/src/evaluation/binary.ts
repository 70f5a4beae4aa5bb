import { type Binary, type Labels, type Matching, QueryError } from '../promql/expression.ts'
import { groupingOf, keyOf, labelsOf, NAME } from '../promql/labels.ts'
import { type Context, spend } from './context.ts'
import { ARITHMETIC, COMPARISONS } from './operators.ts'
import { emptySeries, type Series, type Value } from './value.ts'

/** The value of an operator, or nothing where a comparison lets the value not pass. */
function combine({ op, bool }: Binary, left: number, right: number, kept = left): number | undefined {
  const comparison = COMPARISONS[op]
  if (!comparison) return ARITHMETIC[op]?.(left, right)
  const holds = comparison(left, right)
  if (bool) return holds ? 1 : 0
  return holds ? kept : undefined
}

const dropsName = ({ op, bool }: Binary) => bool || !(op in COMPARISONS)

/** The value of a binary operator. */
export function evaluateBinary(context: Context, binary: Binary, left: Value, right: Value): Value {
  if (left.type === 'scalar' && right.type === 'scalar') {
    return {
      type: 'scalar',
      values: left.values.map((one, index) => combine(binary, one, right.values[index] ?? 0) ?? 0),
    }
  }
  if (left.type === 'vector' && right.type === 'vector') {
    spend(context.budget, (left.series.length + right.series.length) * context.steps)
    const evaluate = SET_OPERATORS[binary.op] ?? vectorsTogether
    return { type: 'vector', series: evaluate(context, binary, left.series, right.series) }
  }
  if (left.type === 'vector' && right.type === 'scalar') {
    return { type: 'vector', series: left.series.map((one) => withScalar(context, binary, one, right.values, false)) }
  }
  if (left.type === 'scalar' && right.type === 'vector') {
    return { type: 'vector', series: right.series.map((one) => withScalar(context, binary, one, left.values, true)) }
  }
  throw new QueryError(`the operator ${binary.op} has operands of wrong types`)
}

function withScalar(context: Context, binary: Binary, series: Series, scalars: Float64Array, isLeft: boolean): Series {
  const made = emptySeries(series.labels, context.steps, series.nameless || dropsName(binary))
  for (let index = 0; index < context.steps; index++) {
    if (!series.has[index]) continue
    const [value, scalar] = [series.values[index] ?? 0, scalars[index] ?? 0]
    const result = isLeft ? combine(binary, scalar, value, value) : combine(binary, value, scalar)
    if (result === undefined) continue
    made.values[index] = result
    made.has[index] = 1
  }
  return made
}

function signatureOf({ on, labels }: Matching): (series: Series) => string {
  return (series) => keyOf(groupingOf(series.labels, labels, !on))
}

/** Steps at which a side has a value, by signature. */
function presence(context: Context, series: readonly Series[], signature: (series: Series) => string) {
  const bySignature = new Map<string, Uint8Array>()
  for (const one of series) {
    const key = signature(one)
    const has = bySignature.get(key) ?? new Uint8Array(context.steps)
    bySignature.set(key, has)
    for (let index = 0; index < context.steps; index++) if (one.has[index]) has[index] = 1
  }
  return bySignature
}

function filtered(context: Context, series: Series, passes: (index: number) => boolean): Series {
  const made = emptySeries(series.labels, context.steps, series.nameless)
  for (let index = 0; index < context.steps; index++) {
    if (!series.has[index] || !passes(index)) continue
    made.values[index] = series.values[index] ?? 0
    made.has[index] = 1
  }
  return made
}

type VectorOperator = (context: Context, binary: Binary, left: readonly Series[], right: readonly Series[]) => Series[]

const passing =
  (whenPresent: boolean): VectorOperator =>
  (context, { matching }, left, right) => {
    const signature = signatureOf(matching)
    const others = presence(context, right, signature)
    return left.map((one) => {
      const has = others.get(signature(one))
      return filtered(context, one, (index) => (has?.[index] === 1) === whenPresent)
    })
  }

const SET_OPERATORS: Readonly<Record<string, VectorOperator>> = {
  and: passing(true),
  unless: passing(false),
  or: (context, binary, left, right) => [...left, ...passing(false)(context, binary, right, left)],
}

/** Labels of the result of two series. */
function resultLabels(binary: Binary, many: Series, one: Series): Labels {
  const { matching } = binary
  if (!matching.many) {
    const dropped = matching.on ? [] : matching.labels
    const keeps = [...many.labels].filter(([name]) =>
      matching.on ? matching.labels.includes(name) : !dropped.includes(name),
    )
    return new Map(keeps)
  }
  const labels = new Map(many.labels)
  for (const name of matching.include) labels.set(name, one.labels.get(name) ?? '')
  return labelsOf(labels)
}

/** Values of series that stand against each other by their labels. */
function vectorsTogether(
  context: Context,
  binary: Binary,
  left: readonly Series[],
  right: readonly Series[],
): Series[] {
  const { matching } = binary
  const swapped = matching.many === 'right'
  const [manySide, oneSide] = swapped ? [right, left] : [left, right]
  const signature = signatureOf(matching)
  const ones = Map.groupBy(oneSide, signature)
  const sides = swapped ? ['left', 'right'] : ['right', 'left']
  const results = new Map<string, Series>()
  const taken = new Map<string, Uint8Array>()
  for (const many of manySide) {
    const key = signature(many)
    const found = ones.get(key)
    if (!found) continue
    const used = taken.get(key) ?? new Uint8Array(context.steps)
    taken.set(key, used)
    for (let index = 0; index < context.steps; index++) {
      if (!many.has[index]) continue
      const present = found.filter(({ has }) => has[index])
      const [one] = present
      if (!one) continue
      if (present.length > 1) throw new QueryError(duplicates(sides[0] ?? ''))
      if (!matching.many && used[index]) throw new QueryError(MANY_TO_ONE)
      used[index] = 1
      put(context, binary, results, index, many, one, swapped)
    }
  }
  return [...results.values()]
}

const MANY_TO_ONE = 'multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)'
const duplicates = (side: string) =>
  `found duplicate series for the match group on the ${side} hand-side of the operation; many-to-many matching not allowed: matching labels must be unique on one side`

function put(
  context: Context,
  binary: Binary,
  results: Map<string, Series>,
  index: number,
  many: Series,
  one: Series,
  swapped: boolean,
): void {
  const [left, right] = swapped ? [one, many] : [many, one]
  const value = combine(binary, left.values[index] ?? 0, right.values[index] ?? 0)
  if (value === undefined) return
  const labels = resultLabels(binary, many, one)
  const nameless = many.nameless || dropsName(binary)
  const key = `${nameless}${keyOf(nameless ? groupingOf(labels, [NAME], true) : labels)}`
  const series = results.get(key) ?? emptySeries(labels, context.steps, nameless)
  results.set(key, series)
  if (series.has[index]) {
    throw new QueryError('multiple matches for labels: grouping labels must ensure unique matches')
  }
  series.values[index] = value
  series.has[index] = 1
}
