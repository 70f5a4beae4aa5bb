import type { Labels, Matcher } from '../promql/expression.ts'

/** Samples of a stored series, in the order of their times. */
export interface Samples {
  labels: Labels
  /** Milliseconds since 1970. */
  times: Float64Array
  values: Float64Array
}

/** Where samples come from. */
export interface Source {
  /** Series whose labels fulfil the matchers, with their samples from `from` to `to`, both included, one after the other. */
  select(matchers: readonly Matcher[], from: number, to: number): Iterable<Samples>
}

/** A series with a value, or none, for each step of a query. */
export interface Series {
  labels: Labels
  /** The name of the metric goes once the whole query is evaluated. */
  nameless: boolean
  values: Float64Array
  /** 1 where there is a value. */
  has: Uint8Array
}

export type Value =
  | { type: 'scalar'; values: Float64Array }
  | { type: 'string'; value: string }
  | { type: 'vector'; series: Series[] }

export function emptySeries(labels: Labels, steps: number, nameless = true): Series {
  return { labels, nameless, values: new Float64Array(steps), has: new Uint8Array(steps) }
}

const STALE_HIGH = 0x7ff00000
const STALE_LOW = 2

/** Tells whether the value at an index marks that the series has ended: a NaN with bits of its own. */
export function isStale(values: Float64Array, index: number): boolean {
  if (!Number.isNaN(values[index])) return false
  const words = new Uint32Array(values.buffer, values.byteOffset + index * 8, 2)
  return words[1] === STALE_HIGH && words[0] === STALE_LOW
}

/** Writes such a mark. */
export function markStale(values: Float64Array, index: number): void {
  const words = new Uint32Array(values.buffer, values.byteOffset + index * 8, 2)
  words[0] = STALE_LOW
  words[1] = STALE_HIGH
}
