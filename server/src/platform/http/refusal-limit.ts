import ipaddr from 'ipaddr.js'

interface Bucket {
  count: number
  resetAt: number
}

/** Counts tokens that were refused, by the address that brought them. */
export interface RefusalLimit {
  isOver(address: string): boolean
  count(address: string): void
}

/** The key of an address. An IPv6 network of 64 bits mostly has one owner, and counts as one address. */
function countedAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString()
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
  const current = (key: string) => {
    const known = buckets.get(key)
    return known && known.resetAt > now() ? known : undefined
  }
  return {
    isOver: (address) => (current(countedAddress(address))?.count ?? 0) >= limit,
    count(address) {
      const key = countedAddress(address)
      const known = current(key)
      if (known) {
        known.count += 1
        return
      }
      if (buckets.size >= mostAddresses) buckets.delete(buckets.keys().next().value ?? '')
      buckets.delete(key)
      buckets.set(key, { count: 1, resetAt: now() + windowMs })
    },
  }
}
