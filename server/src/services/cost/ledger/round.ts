import type { SeenRound } from '../../metrics/collector/collector.ts'

/** An amount that was taken at a moment: cores, bytes, load balancers; of `time` it is 1. */
export interface Taken {
  /** Empty for what the cluster has as a whole. */
  spaceId: string
  /** Empty for what belongs to no app. */
  appId: string
  resource: 'cpu' | 'memory' | 'storage' | 'loadBalancer' | 'time'
  storageClass: string
  amount: number
  requested: number
  used: number
}

/** Everything that spaces take of a cluster in a round: of each container the larger of request and use. */
export function takenIn({ use, spaces, appOf, capacity }: SeenRound): Taken[] {
  const sums = new Map<string, Taken>()
  const add = (
    spaceId: string,
    appId: string,
    resource: Taken['resource'],
    more: Partial<Taken> & { amount: number },
  ) => {
    const key = JSON.stringify([spaceId, appId, resource, more.storageClass ?? ''])
    const sum = sums.get(key) ?? {
      ...{ spaceId, appId, resource, storageClass: more.storageClass ?? '' },
      ...{ amount: 0, requested: 0, used: 0 },
    }
    sum.amount = resource === 'time' ? 1 : sum.amount + more.amount
    sum.requested += more.requested ?? 0
    sum.used += more.used ?? 0
    sums.set(key, sum)
  }
  const placeOf = (namespace: string, release: string | null): [string, string] | undefined => {
    const space = spaces.get(namespace)
    return space === undefined ? undefined : [space, (release !== null && appOf(namespace, release)) || '']
  }
  add('', '', 'time', { amount: 1 })
  for (const resource of ['cpu', 'memory'] as const) add('', '', resource, { amount: capacity[resource] })
  for (const { namespace, release, containers } of use.pods) {
    const place = placeOf(namespace, release)
    if (place === undefined) continue
    add(...place, 'time', { amount: 1 })
    for (const container of containers) {
      for (const resource of ['cpu', 'memory'] as const) {
        const { requests, usage } = container[resource]
        const [requested, used] = [requests ?? 0, usage ?? 0]
        add(...place, resource, { amount: Math.max(requested, used), requested, used })
      }
    }
  }
  for (const { namespace, release, storageClass, bytes } of use.claims) {
    const place = placeOf(namespace, release)
    if (place) add(...place, 'storage', { storageClass, amount: bytes })
    if (place) add(...place, 'time', { amount: 1 })
  }
  for (const { namespace, release } of use.loadBalancers) {
    const place = placeOf(namespace, release)
    if (place) add(...place, 'loadBalancer', { amount: 1 })
    if (place) add(...place, 'time', { amount: 1 })
  }
  return [...sums.values()]
}

const hourMs = 3_600_000
/** A round that was missed counts as the one after it; what is longer was not measured. */
const roundsTillGap = 2.5

/** The hours that the time before a round falls into, each with its part of an hour. */
export function hoursOf(before: Date | undefined, at: Date, everySeconds: number): { hour: Date; part: number }[] {
  const longestMs = everySeconds * roundsTillGap * 1000
  const since = before === undefined ? everySeconds * 1000 : at.getTime() - before.getTime()
  if (since <= 0) return []
  const from = at.getTime() - (since > longestMs ? everySeconds * 1000 : since)
  const parts: { hour: Date; part: number }[] = []
  for (let start = from; start < at.getTime(); ) {
    const hour = Math.floor(start / hourMs) * hourMs
    const end = Math.min(at.getTime(), hour + hourMs)
    parts.push({ hour: new Date(hour), part: (end - start) / hourMs })
    start = end
  }
  return parts
}
