interface Counts {
  at: Date
  succeeded: number
  failed: number
  running: number
}

const steps = [60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86_400, 7 * 86_400]
const mostBuckets = 48

/** The shortest usual length with which a range is at most 48 buckets. */
export function bucketSecondsOf(milliseconds: number): number {
  return steps.find((seconds) => milliseconds / 1000 / seconds <= mostBuckets) ?? 7 * 86_400
}

/** Every bucket of the range, those without an action too. */
export function filledBuckets(
  found: readonly Counts[],
  { from, to, seconds }: { from: Date; to: Date; seconds: number },
) {
  const step = seconds * 1000
  const byTime = new Map(found.map((counts) => [counts.at.getTime(), counts]))
  const buckets = []
  for (let at = Math.floor(from.getTime() / step) * step; at <= to.getTime(); at += step) {
    const { succeeded = 0, failed = 0, running = 0 } = byTime.get(at) ?? {}
    buckets.push({ at: new Date(at).toISOString(), succeeded, failed, running })
  }
  return buckets
}
