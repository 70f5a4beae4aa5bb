import { expect, test, vi } from 'vitest'
import type { Prometheus } from '../../../adapters/prometheus/prometheus.ts'
import { createLogger } from '../../../platform/logging/logger.ts'
import { createCollector } from './collector.ts'

const amounts = (usage: number) => ({ usage, requests: null, limits: null })
const pods = Array.from({ length: 200 }, (_, at) => ({
  ...{ namespace: 'shop-1', name: `web-${at}`, release: null },
  containers: [{ name: 'web', cpu: amounts(0.5), memory: amounts(1) }],
}))
const cluster = {
  ...{ id: 'c1', tenantId: 'demo' },
  ...{ requested: { cpuMillis: 1, memoryBytes: 1 }, capacity: { cpuMillis: 1, memoryBytes: 1 } },
}

/** The notes of one round in which the metrics server answers like this. */
async function notesOf(write: Prometheus['write']) {
  const store = { claim: async () => new Set(['c1']), collected: vi.fn(), failed: vi.fn() }
  const collector = createCollector({
    ...{ store, everySeconds: 1, log: createLogger('silent') },
    prometheus: { write } as Prometheus,
    clusters: {
      ofAllTenants: async () => [cluster],
      usage: async () => ({ pods, nodes: [], claims: [], loadBalancers: [] }),
    } as never,
    spaces: { usersOf: async () => new Map([['s1', { namespace: 'shop-1' }]]) } as never,
    apps: { releasesOn: async () => [] },
    tell: async () => undefined,
  })
  await collector.collectDue()
  await collector.drain(5000)
  return { collected: store.collected.mock.calls, failed: store.failed.mock.calls }
}
const rejected = expect.stringMatching(/rejected some samples/)

test('a server that takes everything leaves no problem', async () => {
  const { collected, failed } = await notesOf(async () => true)
  expect(collected).toEqual([[cluster, expect.any(Date), null]])
  expect(failed).toEqual([])
})

test('a server that takes no more series has the figures that it took', async () => {
  const { collected, failed } = await notesOf(async (samples) => samples.length <= 100)
  expect(collected).toEqual([[cluster, expect.any(Date), rejected]])
  expect(failed).toEqual([])
})

test('a server that refuses everything has collected nothing', async () => {
  const { collected, failed } = await notesOf(async () => false)
  expect(collected).toEqual([])
  expect(failed).toEqual([[cluster, rejected]])
})

test('an end in the middle of a round begins nothing, and waits for what the round has begun', async () => {
  const { promise: claimed, resolve: claim } = Promise.withResolvers<Set<string>>()
  const store = { claim: vi.fn(() => claimed), collected: vi.fn(), failed: vi.fn() }
  const collector = createCollector({
    ...{ store, everySeconds: 1, log: createLogger('silent') },
    prometheus: { write: async () => true } as never,
    clusters: {
      ofAllTenants: async () => [cluster],
      usage: async () => ({ pods, nodes: [], claims: [], loadBalancers: [] }),
    } as never,
    spaces: { usersOf: async () => new Map([['s1', { namespace: 'shop-1' }]]) } as never,
    apps: { releasesOn: async () => [] },
    tell: async () => undefined,
  })
  const round = collector.collectDue()
  await vi.waitFor(() => expect(store.claim).toHaveBeenCalled())
  const drained = collector.drain(60_000)
  claim(new Set(['c1']))
  await drained
  expect(store.collected).toHaveBeenCalledOnce()
  await round
  await collector.collectDue()
  expect(store.claim).toHaveBeenCalledOnce()
})
