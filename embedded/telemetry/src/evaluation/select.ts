import type { Selector, Subquery } from '../promql/expression.ts'
import { type Context, LOOKBACK_MS, momentOf, spend } from './context.ts'
import { emptySeries, isStale, type Samples, type Series } from './value.ts'

/** Samples in the order of time with what their series becomes. */
export interface Track extends Samples {
  nameless: boolean
}

/** Times and values of a track from index `from` up to, not including, `to`: those of one window. */
export interface Window {
  times: Float64Array
  values: Float64Array
  from: number
  to: number
  /** The window begins after `start` and ends with `end`. */
  start: number
  end: number
  /** Time of the step. */
  now: number
}

function reach(context: Context, shifted: Selector | Subquery): [number, number] {
  const first = momentOf(context, shifted, 0)
  const last = momentOf(context, shifted, context.steps - 1)
  return [first, last]
}

/** The newest sample of each series at each step, no older than five minutes; its time instead with `times`. */
export function selectInstant(context: Context, selector: Selector, ofTimes = false): Series[] {
  const [first, last] = reach(context, selector)
  const found = context.source.select(selector.matchers, first - LOOKBACK_MS + 1, last)
  return Array.from(found, ({ labels, times, values }) => {
    spend(context.budget, values.length + context.steps)
    const series = emptySeries(labels, context.steps, ofTimes)
    let next = 0
    for (let index = 0; index < context.steps; index++) {
      const moment = momentOf(context, selector, index)
      while (next < times.length && (times[next] ?? 0) <= moment) next++
      const newest = next - 1
      const at = times[newest]
      if (at === undefined || at <= moment - LOOKBACK_MS || isStale(values, newest)) continue
      series.values[index] = ofTimes ? at / 1000 : (values[newest] ?? 0)
      series.has[index] = 1
    }
    return series
  })
}

/** Samples of the series that a range selector may look at. */
export function selectTracks(context: Context, selector: Selector): Track[] {
  const [first, last] = reach(context, selector)
  const found = context.source.select(selector.matchers, first - (selector.range ?? 0) + 1, last)
  return Array.from(found, (samples) => {
    spend(context.budget, samples.values.length)
    return { ...withoutStale(samples), nameless: false }
  })
}

function withoutStale({ labels, times, values }: Samples): Samples {
  const kept: number[] = []
  for (let index = 0; index < values.length; index++) if (!isStale(values, index)) kept.push(index)
  if (kept.length === values.length) return { labels, times, values }
  return {
    labels,
    times: Float64Array.from(kept, (index) => times[index] ?? 0),
    values: Float64Array.from(kept, (index) => values[index] ?? 0),
  }
}

/** Steps at which the inner query of a subquery is evaluated: multiples of its step. */
export function subqueryContext(context: Context, subquery: Subquery): Context {
  const [first, last] = reach(context, subquery)
  const step = subquery.step ?? 60_000
  let start = step * Math.trunc((first - subquery.range) / step)
  if (start <= first - subquery.range) start += step
  const steps = last < start ? 0 : Math.floor((last - start) / step) + 1
  return { ...context, start, end: last, step, steps }
}

/** Values of series as samples at the times of their steps. */
export function tracksOf(context: Context, series: readonly Series[]): Track[] {
  return series.map(({ labels, nameless, values, has }) => {
    const kept: number[] = []
    for (let index = 0; index < context.steps; index++) if (has[index]) kept.push(index)
    spend(context.budget, kept.length)
    return {
      labels,
      nameless,
      times: Float64Array.from(kept, (index) => context.start + index * context.step),
      values: Float64Array.from(kept, (index) => values[index] ?? 0),
    }
  })
}

/** Evaluates a function on the window of each step; nothing where it has no answer. */
export function overWindows(
  context: Context,
  shifted: (Selector | Subquery) & { range: number },
  track: Track,
  evaluate: (window: Window, index: number) => number | undefined,
): Series {
  const series = emptySeries(track.labels, context.steps)
  const { times, values } = track
  let [from, to] = [0, 0]
  for (let index = 0; index < context.steps; index++) {
    const end = momentOf(context, shifted, index)
    const start = end - shifted.range
    while (to < times.length && (times[to] ?? 0) <= end) to++
    while (from < to && (times[from] ?? 0) <= start) from++
    if (from === to) continue
    const now = context.start + index * context.step
    const value = evaluate({ times, values, from, to, start, end, now }, index)
    if (value === undefined) continue
    series.values[index] = value
    series.has[index] = 1
  }
  return series
}
