import type { Allocation } from '@quayside/contract/cost/allocation'
import { gib } from '@quayside/contract/cost/rules'
import { type Prices, priceOfHour } from '../prices/pricing.ts'

/** Amounts times hours of one resource in a place, all at the same prices. */
export interface LedgerSum {
  clusterId: string
  /** Empty for what the cluster has as a whole. */
  spaceId: string
  appId: string
  resource: 'cpu' | 'memory' | 'storage' | 'loadBalancer' | 'time'
  storageClass: string
  amount: number
  requested: number
  used: number
  /** Undefined: there was no price at the time. */
  prices: Prices | undefined
  /** By what amounts of these prices are multiplied; undefined: into no currency that is shown. */
  factor: number | undefined
}

export interface Sharing {
  includeIdle: boolean
  shareIdle: 'false' | 'true' | 'weighted' | 'even'
}

type Costs = 'cpuCost' | 'ramCost' | 'pvCost' | 'loadBalancerCost'
const costOf = { cpu: 'cpuCost', memory: 'ramCost', storage: 'pvCost', loadBalancer: 'loadBalancerCost' } as const
const idleName = '__idle__'

/** Costs of a time by OpenCost's method: what each takes by its prices, and what of the clusters nobody takes. */
export function allocate(
  sums: readonly LedgerSum[],
  nameOf: (sum: LedgerSum) => { name: string; properties: Allocation['properties'] },
  { from, to }: { from: Date; to: Date },
  { includeIdle, shareIdle }: Sharing,
): Record<string, Allocation> {
  const found = new Map<string, Allocation>()
  const hours = new Map<string, Map<string, number>>()
  for (const sum of sums) {
    if (sum.spaceId === '') continue
    const { name, properties } = nameOf(sum)
    const one = found.get(name) ?? emptyOf(name, properties, { from, to })
    found.set(name, one)
    if (sum.resource === 'time') addTime(hours, name, sum)
    else add(one, sum)
  }
  for (const one of found.values()) finish(one, Math.max(0, ...(hours.get(one.name)?.values() ?? [])), { from, to })
  const idle = includeIdle || shareIdle !== 'false' ? idleOf(sums, { from, to }) : undefined
  if (idle && shareIdle !== 'false') share(idle.totalCost ?? 0, [...found.values()], shareIdle === 'even')
  else if (idle) found.set(idleName, idle)
  return Object.fromEntries(found)
}

function emptyOf(
  name: string,
  properties: Allocation['properties'],
  { from, to }: { from: Date; to: Date },
): Allocation {
  return {
    ...{ name, properties, start: from.toISOString(), end: to.toISOString(), minutes: 0 },
    ...{ cpuCoreHours: 0, cpuCoreRequestAverage: 0, cpuCoreUsageAverage: 0, cpuCost: null },
    ...{ ramByteHours: 0, ramByteRequestAverage: 0, ramByteUsageAverage: 0, ramCost: null },
    ...{ pvByteHours: 0, pvCost: null, loadBalancerCost: null, sharedCost: 0, totalCost: null, unpriced: [] },
  }
}

/** Times of what runs beside each other are not added up: the longest counts. */
function addTime(hours: Map<string, Map<string, number>>, name: string, sum: LedgerSum): void {
  const times = hours.get(name) ?? new Map<string, number>()
  const key = JSON.stringify([sum.clusterId, sum.spaceId, sum.appId])
  times.set(key, (times.get(key) ?? 0) + sum.amount)
  hours.set(name, times)
}

/** The cost of a sum; null where it has no price. */
function priced({ prices, factor, resource, storageClass, amount }: LedgerSum): number | null {
  if (resource === 'time' || prices === undefined || factor === undefined) return null
  const price = priceOfHour(prices, resource, storageClass)
  const units = resource === 'memory' || resource === 'storage' ? amount / gib : amount
  return price === null ? null : units * price * factor
}

function add(one: Allocation, sum: LedgerSum): void {
  const { resource, amount, requested, used } = sum
  if (resource === 'time') return
  if (resource === 'cpu') {
    one.cpuCoreHours += amount
    one.cpuCoreRequestAverage += requested
    one.cpuCoreUsageAverage += used
  } else if (resource === 'memory') {
    one.ramByteHours += amount
    one.ramByteRequestAverage += requested
    one.ramByteUsageAverage += used
  } else if (resource === 'storage') one.pvByteHours += amount
  const cost = priced(sum)
  const field: Costs = costOf[resource]
  if (cost !== null) one[field] = (one[field] ?? 0) + cost
  else if (amount > 0 && !one.unpriced.includes(resource)) one.unpriced.push(resource)
}

/** Turns sums over hours into means, and adds up what has a price. */
function finish(one: Allocation, hours: number, { from, to }: { from: Date; to: Date }): void {
  one.minutes = Math.min(hours * 60, (to.getTime() - from.getTime()) / 60_000)
  for (const field of [
    'cpuCoreRequestAverage',
    'cpuCoreUsageAverage',
    'ramByteRequestAverage',
    'ramByteUsageAverage',
  ] as const)
    one[field] = hours === 0 ? 0 : one[field] / hours
  const costs = [one.cpuCost, one.ramCost, one.pvCost, one.loadBalancerCost].filter((cost) => cost !== null)
  one.totalCost = costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0)
}

/** Capacity less what spaces take of it. What runs outside of spaces is in it, as nobody else pays for it. */
function idleOf(sums: readonly LedgerSum[], window: { from: Date; to: Date }): Allocation {
  const idle = emptyOf(idleName, { displayName: 'Not used by spaces' }, window)
  const groups = Map.groupBy(
    sums.filter(({ resource }) => resource === 'cpu' || resource === 'memory'),
    ({ clusterId, resource, prices }) => JSON.stringify([clusterId, resource, prices]),
  )
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const of = (isWhole: boolean) =>
      group.filter(({ spaceId }) => (spaceId === '') === isWhole).reduce((sum, { amount }) => sum + amount, 0)
    add(idle, { ...first, amount: Math.max(0, of(true) - of(false)), requested: 0, used: 0 })
  }
  const times = sums.filter(({ spaceId, resource }) => spaceId === '' && resource === 'time')
  finish(
    idle,
    times.reduce((sum, { amount }) => sum + amount, 0),
    window,
  )
  return idle
}

/** Divides what is idle among all, by what each costs or evenly. */
function share(cost: number, among: readonly Allocation[], isEven: boolean): void {
  const whole = among.reduce((sum, { totalCost }) => sum + (totalCost ?? 0), 0)
  for (const one of among) {
    const part = isEven || whole === 0 ? 1 / among.length : (one.totalCost ?? 0) / whole
    one.sharedCost = cost * part
    if (one.totalCost !== null || one.sharedCost > 0) one.totalCost = (one.totalCost ?? 0) + one.sharedCost
  }
}
