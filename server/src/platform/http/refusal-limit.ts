interface Bucket {
  count: number
  resetAt: number
}

/** Counts tokens that were refused, by the address that brought them. */
export interface RefusalLimit {
  isOver(address: string): boolean
  count(address: string): void
}

const mostAddresses = 20_000
/** Refusals for one address within the window; a page whose token has just expired causes some at once. */
const mostRefusals = 100
const refusalWindowMs = 10_000

/** At most so many refused tokens for each address and window; addresses can be invented, so the oldest are forgotten. */
export function createRefusalLimit(
  limit = mostRefusals,
  windowMs = refusalWindowMs,
  now = () => performance.now(),
): RefusalLimit {
  const buckets = new Map<string, Bucket>()
  const current = (address: string) => {
    const known = buckets.get(address)
    return known && known.resetAt > now() ? known : undefined
  }
  return {
    isOver: (address) => (current(address)?.count ?? 0) >= limit,
    count(address) {
      const known = current(address)
      if (known) {
        known.count += 1
        return
      }
      if (buckets.size >= mostAddresses) buckets.delete(buckets.keys().next().value ?? '')
      buckets.delete(address)
      buckets.set(address, { count: 1, resetAt: now() + windowMs })
    },
  }
}
