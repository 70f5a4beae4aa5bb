interface Bucket {
  count: number
  resetAt: number
}

export interface AttemptLimit {
  /** Counts one attempt; false when there were too many already. */
  take(key: string, now?: number): boolean
  /** Gives an attempt back that turned out to be good. */
  giveBack(key: string): void
}

const KEYS = 20_000

/** At most `limit` failed attempts per key and window, held in memory. */
export function attemptLimit(limit: number, windowMs: number): AttemptLimit {
  const buckets = new Map<string, Bucket>()
  return {
    take(key, now = Date.now()) {
      const known = buckets.get(key)
      if (!known || known.resetAt <= now) {
        // Keys can be invented: forget the oldest rather than grow without end.
        if (buckets.size >= KEYS) buckets.delete(buckets.keys().next().value ?? '')
        buckets.delete(key)
        buckets.set(key, { count: 1, resetAt: now + windowMs })
        return true
      }
      if (known.count >= limit) return false
      known.count += 1
      return true
    },
    giveBack(key) {
      const known = buckets.get(key)
      if (known) known.count = Math.max(0, known.count - 1)
    },
  }
}
