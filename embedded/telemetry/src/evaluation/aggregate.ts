import { type Aggregation, QueryError } from '../promql/expression.ts'
import { groupingOf, keyOf, labelsOf } from '../promql/labels.ts'
import { type Context, spend } from './context.ts'
import { extremeOf, meanOf, quantileOf, sumOf, varianceOf } from './sums.ts'
import { emptySeries, type Series } from './value.ts'

const FOLDS: Readonly<Record<string, (values: readonly number[], parameter: number) => number>> = {
  sum: sumOf,
  avg: meanOf,
  count: (values) => values.length,
  group: () => 1,
  min: (values) => extremeOf(values, (one, other) => one < other),
  max: (values) => extremeOf(values, (one, other) => one > other),
  stddev: (values) => Math.sqrt(varianceOf(values)),
  stdvar: varianceOf,
  quantile: (values, q) => quantileOf(q, values),
}

/** Series of each group, by the labels that the group has. */
function groupsOf({ labels, without }: Aggregation, series: readonly Series[]) {
  const groups = new Map<string, { labels: Series['labels']; members: Series[] }>()
  for (const one of series) {
    const kept = groupingOf(one.labels, labels, without)
    const key = keyOf(kept)
    const group = groups.get(key)
    if (group) group.members.push(one)
    else groups.set(key, { labels: kept, members: [one] })
  }
  return [...groups.values()]
}

/** The series of an aggregation; `parameter` has a number for each step, or is the label of `count_values`. */
export function aggregate(
  context: Context,
  aggregation: Aggregation,
  series: readonly Series[],
  parameter: Float64Array | string | undefined,
): Series[] {
  spend(context.budget, series.length * context.steps)
  const { op } = aggregation
  const groups = groupsOf(aggregation, series)
  if (typeof parameter === 'string') return counted(context, groups, parameter)
  if (/^(top|bottom)k$/.test(op) && parameter?.some(Number.isNaN)) throw new QueryError('Parameter value is NaN')
  if (op === 'topk' || op === 'bottomk') {
    return groups.flatMap(({ members }) => chosen(context, members, parameter ?? new Float64Array(), op === 'topk'))
  }
  const fold = FOLDS[op]
  if (!fold) throw new QueryError(`the aggregation ${op} is not supported`)
  return groups.map(({ labels, members }) => {
    const folded = emptySeries(
      labels,
      context.steps,
      members.some(({ nameless }) => nameless),
    )
    for (let index = 0; index < context.steps; index++) {
      const values: number[] = []
      for (const { has, values: all } of members) if (has[index]) values.push(all[index] ?? 0)
      if (values.length === 0) continue
      folded.values[index] = fold(values, parameter?.[index] ?? 0)
      folded.has[index] = 1
    }
    return folded
  })
}

function counted(context: Context, groups: ReturnType<typeof groupsOf>, label: string): Series[] {
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label)) throw new QueryError(`invalid label name ${JSON.stringify(label)}`)
  const byKey = new Map<string, Series>()
  const count = (index: number, labels: Series['labels'], value: number) => {
    const named = labelsOf([...[...labels].filter(([name]) => name !== label), [label, shown(value)]])
    const key = keyOf(named)
    const series = byKey.get(key) ?? emptySeries(named, context.steps, false)
    byKey.set(key, series)
    series.values[index] = (series.values[index] ?? 0) + 1
    series.has[index] = 1
  }
  for (const { labels, members } of groups) {
    for (const { has, values } of members) {
      for (const [index, there] of has.entries()) if (there) count(index, labels, values[index] ?? 0)
    }
  }
  return [...byKey.values()]
}

/** A number in the form in which Prometheus writes it into a label. */
function shown(value: number): string {
  if (value === Infinity) return '+Inf'
  return value === -Infinity ? '-Inf' : String(value)
}

/** The series with the greatest or smallest values, for each step those of its own. */
function chosen(context: Context, members: readonly Series[], counts: Float64Array, isTop: boolean): Series[] {
  const kept = new Map<Series, Series>()
  for (let index = 0; index < context.steps; index++) {
    const asked = counts[index] ?? 0
    const count = Math.min(Math.trunc(asked), members.length)
    if (count < 1) continue
    const present = members.filter(({ has }) => has[index])
    const worst = (value: number) => (Number.isNaN(value) ? (isTop ? -Infinity : Infinity) : value)
    const ordered = present.toSorted((one, other) => {
      const [a, b] = [one.values[index] ?? 0, other.values[index] ?? 0]
      if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1
      return (worst(a) - worst(b)) * (isTop ? -1 : 1) || 0
    })
    for (const series of ordered.slice(0, count)) {
      const copy = kept.get(series) ?? emptySeries(series.labels, context.steps, series.nameless)
      kept.set(series, copy)
      copy.values[index] = series.values[index] ?? 0
      copy.has[index] = 1
    }
  }
  return [...kept.values()]
}
