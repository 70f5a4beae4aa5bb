import { expect, test } from 'vitest'
import type { Prices } from '../prices/pricing.ts'
import { allocate, type LedgerSum, type Sharing } from './allocate.ts'

const gib = 2 ** 30
const prices: Prices = {
  ...{ currency: 'USD', coreHour: 0.2, memoryGibHour: 0.05, loadBalancerHour: 0.025, overheadHour: null },
  storage: [{ storageClass: null, gibMonth: 7.3 }],
}
const window = { from: new Date('2031-05-01T00:00:00Z'), to: new Date('2031-05-02T00:00:00Z') }
const plain: Sharing = { includeIdle: false, shareIdle: 'false' }

function sum(
  spaceId: string,
  resource: LedgerSum['resource'],
  amount: number,
  more: Partial<LedgerSum> = {},
): LedgerSum {
  return {
    ...{ clusterId: 'c', spaceId, appId: '', resource, storageClass: '', amount, requested: 0, used: 0 },
    ...{ prices, factor: 1, ...more },
  }
}
const of = (sums: readonly LedgerSum[], sharing: Partial<Sharing> = {}) =>
  allocate(sums, ({ spaceId }) => ({ name: spaceId, properties: { displayName: spaceId } }), window, {
    ...plain,
    ...sharing,
  })

test('amount times duration times hourly rate, for each resource', () => {
  // Two cores for 24 hours at 0.2 are 9.6, the first example of the specification's asset costs.
  const { a } = of([
    sum('a', 'cpu', 2 * 24, { requested: 2 * 24, used: 12 }),
    sum('a', 'memory', 4 * 24 * gib),
    sum('a', 'storage', 10 * 24 * gib),
    sum('a', 'loadBalancer', 24),
    sum('a', 'time', 24),
  ])
  expect(a).toMatchObject({
    ...{ minutes: 1440, cpuCoreHours: 48, cpuCoreRequestAverage: 2, cpuCoreUsageAverage: 0.5, unpriced: [] },
    cpuCost: expect.closeTo(9.6),
    ramCost: expect.closeTo(4.8),
    pvCost: expect.closeTo(2.4),
    loadBalancerCost: expect.closeTo(0.6),
    totalCost: expect.closeTo(17.4),
  })
})

test('workloads and what is idle are the assets of a cluster together', () => {
  const whole = [sum('', 'cpu', 8 * 24), sum('', 'memory', 32 * 24 * gib), sum('', 'time', 24)]
  const taken = [sum('a', 'cpu', 2 * 24), sum('b', 'memory', 8 * 24 * gib)]
  const found = of([...whole, ...taken], { includeIdle: true })
  const total = Object.values(found).reduce((all, { totalCost }) => all + (totalCost ?? 0), 0)
  expect(total).toBeCloseTo(8 * 24 * 0.2 + 32 * 24 * 0.05)
  expect(found.__idle__?.cpuCost).toBeCloseTo(6 * 24 * 0.2)
})

test.each([
  ['weighted', 3 / 4],
  ['true', 3 / 4],
  ['even', 1 / 2],
] as const)('what is idle is shared %s', (shareIdle, part) => {
  const sums = [sum('', 'cpu', 8), sum('a', 'cpu', 3), sum('b', 'cpu', 1)]
  const { a, b, __idle__ } = of(sums, { includeIdle: true, shareIdle })
  expect(__idle__).toBeUndefined()
  expect(a?.sharedCost).toBeCloseTo(4 * 0.2 * part)
  expect((a?.totalCost ?? 0) + (b?.totalCost ?? 0)).toBeCloseTo(8 * 0.2)
})

test('more than there is leaves nothing idle', () => {
  expect(of([sum('', 'cpu', 1), sum('a', 'cpu', 3)], { includeIdle: true }).__idle__?.cpuCost).toBe(0)
})

test('each time has the prices that were valid then', () => {
  const dearer = { ...prices, coreHour: 1 }
  expect(of([sum('a', 'cpu', 10), sum('a', 'cpu', 10, { prices: dearer })]).a?.cpuCost).toBeCloseTo(12)
})

test('times of apps beside each other are not added up, and those at other prices are', () => {
  const times = [
    sum('a', 'time', 2, { appId: 'x' }),
    sum('a', 'time', 1, { appId: 'x', prices: undefined }),
    sum('a', 'time', 2, { appId: 'y' }),
  ]
  expect(of(times).a?.minutes).toBe(180)
})

test('a time without a price is no cost of 0', () => {
  const { a, b } = of([
    sum('a', 'cpu', 10, { prices: undefined, factor: undefined }),
    sum('b', 'cpu', 1),
    sum('b', 'loadBalancer', 1, { prices: { ...prices, loadBalancerHour: null } }),
  ])
  expect(a).toMatchObject({ cpuCost: null, totalCost: null, unpriced: ['cpu'] })
  expect(b).toMatchObject({ totalCost: expect.closeTo(0.2), loadBalancerCost: null, unpriced: ['loadBalancer'] })
})
