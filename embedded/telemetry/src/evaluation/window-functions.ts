import type { Window } from './select.ts'
import { extremeOf, meanOf, quantileOf, sumOf, varianceOf } from './sums.ts'

type WindowFunction = (window: Window, ...scalars: number[]) => number | undefined

const numbersOf = ({ values, from, to }: Window): number[] => Array.from(values.subarray(from, to))

/** Change of a counter or gauge within the window, extended to its borders where samples come near them. */
function extrapolated(window: Window, isCounter: boolean, isRate: boolean): number | undefined {
  const { times, values, from, to, start, end } = window
  if (to - from < 2) return undefined
  const [first, last] = [values[from] ?? 0, values[to - 1] ?? 0]
  const [firstTime, lastTime] = [times[from] ?? 0, times[to - 1] ?? 0]
  let change = last - first
  if (isCounter) {
    for (let index = from + 1; index < to; index++) {
      const before = values[index - 1] ?? 0
      if ((values[index] ?? 0) < before) change += before
    }
  }
  const sampled = (lastTime - firstTime) / 1000
  const between = sampled / (to - from - 1)
  let toStart = (firstTime - start) / 1000
  let toEnd = (end - lastTime) / 1000
  if (toStart >= between * 1.1) toStart = between / 2
  if (isCounter && change > 0 && first >= 0) toStart = Math.min(toStart, sampled * (first / change))
  if (toEnd >= between * 1.1) toEnd = between / 2
  const factor = (sampled + toStart + toEnd) / sampled
  return change * (isRate ? factor / ((end - start) / 1000) : factor)
}

function lastTwo({ times, values, to, from }: Window, isRate: boolean): number | undefined {
  if (to - from < 2) return undefined
  const [before, last] = [values[to - 2] ?? 0, values[to - 1] ?? 0]
  const change = isRate && last < before ? last : last - before
  return isRate ? change / (((times[to - 1] ?? 0) - (times[to - 2] ?? 0)) / 1000) : change
}

/** Slope in units per second, and value at the time `zero`, of the straight line through the samples. */
function lineThrough({ times, values, from, to }: Window, zero: number): [number, number] {
  const first = values[from] ?? 0
  const ys = Array.from(values.subarray(from, to))
  if (ys.every((value) => value === first)) return Number.isFinite(first) ? [0, first] : [Number.NaN, Number.NaN]
  const xs = Array.from(times.subarray(from, to), (time) => (time - zero) / 1000)
  const n = xs.length
  const [sumX, sumY] = [sumOf(xs), sumOf(ys)]
  const covariance = sumOf(xs.map((x, index) => x * (ys[index] ?? 0))) - (sumX * sumY) / n
  const variance = sumOf(xs.map((x) => x * x)) - (sumX * sumX) / n
  const slope = covariance / variance
  return [slope, sumY / n - (slope * sumX) / n]
}

function countOf({ values, from, to }: Window, counts: (value: number, before: number) => boolean): number {
  let count = 0
  for (let index = from + 1; index < to; index++) if (counts(values[index] ?? 0, values[index - 1] ?? 0)) count++
  return count
}

/** Seconds at which the value is, by which of two values stays. */
function timeOfExtreme({ times, values, from, to }: Window, isBeyond: (one: number, other: number) => boolean): number {
  let found = from
  for (let index = from; index < to; index++) {
    const [value, best] = [values[index] ?? 0, values[found] ?? 0]
    if (Number.isNaN(best) || value === best || isBeyond(value, best)) found = index
  }
  return (times[found] ?? 0) / 1000
}

function smoothed({ values, from, to }: Window, sf = 0, tf = 0): number | undefined {
  if (to - from < 2) return undefined
  let [level, before] = [values[from] ?? 0, 0]
  let trend = (values[from + 1] ?? 0) - level
  for (let index = 1; index < to - from; index++) {
    if (index > 1) trend = tf * (level - before) + (1 - tf) * trend
    const next = sf * (values[from + index] ?? 0) + (1 - sf) * (level + trend)
    before = level
    level = next
  }
  return level
}

const above = (one: number, other: number) => one > other
const below = (one: number, other: number) => one < other
const at = ({ times }: Window, index: number) => (times[index] ?? 0) / 1000

/** Functions of the samples in a window; scalars are those arguments that are no range. */
export const WINDOW_FUNCTIONS: Readonly<Record<string, WindowFunction>> = {
  rate: (window) => extrapolated(window, true, true),
  increase: (window) => extrapolated(window, true, false),
  delta: (window) => extrapolated(window, false, false),
  irate: (window) => lastTwo(window, true),
  idelta: (window) => lastTwo(window, false),
  deriv: (window) => (window.to - window.from < 2 ? undefined : lineThrough(window, window.times[window.from] ?? 0)[0]),
  predict_linear(window, seconds = 0) {
    if (window.to - window.from < 2) return undefined
    const [slope, intercept] = lineThrough(window, window.now)
    return slope * seconds + intercept
  },
  double_exponential_smoothing: smoothed,
  changes: (window) =>
    countOf(window, (value, before) => value !== before && !(Number.isNaN(value) && Number.isNaN(before))),
  resets: (window) => countOf(window, below),
  sum_over_time: (window) => sumOf(numbersOf(window)),
  avg_over_time: (window) => meanOf(numbersOf(window)),
  count_over_time: ({ from, to }) => to - from,
  present_over_time: () => 1,
  min_over_time: (window) => extremeOf(numbersOf(window), below),
  max_over_time: (window) => extremeOf(numbersOf(window), above),
  stddev_over_time: (window) => Math.sqrt(varianceOf(numbersOf(window))),
  stdvar_over_time: (window) => varianceOf(numbersOf(window)),
  quantile_over_time: (window, q = 0) => quantileOf(q, numbersOf(window)),
  mad_over_time(window) {
    const values = numbersOf(window)
    const median = quantileOf(0.5, values)
    return quantileOf(
      0.5,
      values.map((value) => Math.abs(value - median)),
    )
  },
  first_over_time: ({ values, from }) => values[from],
  last_over_time: ({ values, to }) => values[to - 1],
  ts_of_first_over_time: (window) => at(window, window.from),
  ts_of_last_over_time: (window) => at(window, window.to - 1),
  ts_of_min_over_time: (window) => timeOfExtreme(window, below),
  ts_of_max_over_time: (window) => timeOfExtreme(window, above),
}

/** Functions after which a series is still the one that was stored. */
export const KEEPS_NAME: ReadonlySet<string> = new Set(['first_over_time', 'last_over_time'])
