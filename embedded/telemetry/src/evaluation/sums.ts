/** The sum with the error of each addition carried along, after Kahan and Neumaier. */
export function sumOf(values: Iterable<number>): number {
  let [sum, carried] = [0, 0]
  for (const value of values) {
    const next = sum + value
    if (!Number.isFinite(next)) carried = 0
    else if (Math.abs(sum) >= Math.abs(value)) carried += sum - next + value
    else carried += value - next + sum
    sum = next
  }
  return sum + carried
}

/** The mean; where the sum would overflow, it is moved step by step instead. */
export function meanOf(values: readonly number[]): number {
  const sum = sumOf(values)
  if (Number.isFinite(sum) || values.some((value) => !Number.isFinite(value))) return sum / values.length
  return sumOf(values.map((value) => value / values.length))
}

/** The mean of squared distances from the mean, moved value by value after Welford. */
export function varianceOf(values: Iterable<number>): number {
  let [count, mean, squares] = [0, 0, 0]
  for (const value of values) {
    count++
    const distance = value - mean
    mean += distance / count
    squares += distance * (value - mean)
  }
  return squares / count
}

/** The value below which the share `q` of values lies, between two of them by weight. */
export function quantileOf(q: number, values: readonly number[]): number {
  if (values.length === 0 || Number.isNaN(q)) return Number.NaN
  if (q < 0) return -Infinity
  if (q > 1) return Infinity
  const sorted = values.toSorted((one, other) => (Number.isNaN(one) ? -1 : Number.isNaN(other) ? 1 : one - other))
  const rank = q * (sorted.length - 1)
  const lower = Math.max(0, Math.floor(rank))
  const upper = Math.min(sorted.length - 1, lower + 1)
  const weight = rank - Math.floor(rank)
  return (sorted[lower] ?? 0) * (1 - weight) + (sorted[upper] ?? 0) * weight
}

/** The largest or smallest number; NaN only where there is nothing else. */
export function extremeOf(values: readonly number[], isBeyond: (one: number, other: number) => boolean): number {
  let found = values[0] ?? Number.NaN
  for (const value of values) if (Number.isNaN(found) || isBeyond(value, found)) found = value
  return found
}
