import type { Labels } from '../promql/expression.ts'
import { groupingOf, keyOf } from '../promql/labels.ts'
import { type Context, spend } from './context.ts'
import { emptySeries, type Series } from './value.ts'

interface Bucket {
  bound: number
  count: number
}

const TOLERANCE = 1e-12

/** The bound that a label `le` names; undefined for a text that is no number. */
function boundOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  if (/^\+?inf$/i.test(text)) return Infinity
  if (/^-inf$/i.test(text)) return -Infinity
  const bound = Number(text)
  return Number.isNaN(bound) ? undefined : bound
}

/** Buckets of different bounds whose counts never fall. */
function ordered(buckets: Bucket[]): Bucket[] {
  const merged: Bucket[] = []
  for (const { bound, count } of buckets.toSorted((one, other) => one.bound - other.bound)) {
    const last = merged.at(-1)
    if (last && last.bound === bound) last.count += count
    else merged.push({ bound, count })
  }
  let before = merged[0]?.count ?? 0
  for (const bucket of merged) {
    const isNear = Math.abs(bucket.count - before) <= TOLERANCE * (Math.abs(bucket.count) + Math.abs(before))
    if (bucket.count < before || isNear) bucket.count = before
    else before = bucket.count
  }
  return merged
}

/** The value below which the share `q` of all observations lies, spread evenly within a bucket. */
function bucketQuantile(q: number, all: Bucket[]): number {
  if (Number.isNaN(q)) return Number.NaN
  if (q < 0) return -Infinity
  if (q > 1) return Infinity
  const buckets = ordered(all)
  const last = buckets.at(-1)
  if (!last || last.bound !== Infinity || buckets.length < 2 || last.count === 0) return Number.NaN
  const rank = q * last.count
  const found = buckets.findIndex(({ count }, index) => index === buckets.length - 1 || count >= rank)
  const bucket = buckets[found]
  const before = buckets[found - 1]
  if (!bucket) return Number.NaN
  if (found === buckets.length - 1) return before?.bound ?? Number.NaN
  if (!before && bucket.bound <= 0) return bucket.bound
  const [from, below] = [before?.bound ?? 0, before?.count ?? 0]
  return from + (bucket.bound - from) * ((rank - below) / (bucket.count - below))
}

/** `histogram_quantile` of classic buckets. */
export function histogramQuantile(context: Context, quantiles: Float64Array, series: readonly Series[]): Series[] {
  spend(context.budget, series.length * context.steps)
  const groups = new Map<string, { labels: Labels; buckets: { bound: number; series: Series }[] }>()
  for (const one of series) {
    const bound = boundOf(one.labels.get('le'))
    if (bound === undefined) continue
    const labels = new Map([...one.labels].filter(([name]) => name !== 'le'))
    const key = keyOf(groupingOf(labels, [], true)) + (labels.get('__name__') ?? '')
    const group = groups.get(key) ?? { labels, buckets: [] }
    groups.set(key, group)
    group.buckets.push({ bound, series: one })
  }
  return [...groups.values()].map(({ labels, buckets }) => {
    const made = emptySeries(labels, context.steps)
    for (let index = 0; index < context.steps; index++) {
      const present = buckets.filter(({ series: { has } }) => has[index])
      if (present.length === 0) continue
      const counts = present.map(({ bound, series: { values } }) => ({ bound, count: values[index] ?? 0 }))
      made.values[index] = bucketQuantile(quantiles[index] ?? 0, counts)
      made.has[index] = 1
    }
    return made
  })
}
