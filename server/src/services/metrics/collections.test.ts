import { expect, test } from 'vitest'
import { createCollections } from './collections.ts'

function arriving(agoSeconds: number | null, problem: string | null = null, hasPrometheus = true) {
  const collected_at = agoSeconds === null ? null : new Date(Date.now() - agoSeconds * 1000)
  return createCollections({
    ...{ hasPrometheus, everySeconds: 30 },
    store: { of: async () => [{ cluster_id: 'c1', collected_at, problem }] },
    clusterNames: async () => new Map([['c1', { displayName: 'Harbour' }]]),
  })('demo', ['c1'])
}

test.each([
  ['nothing was collected yet', arriving(null), { state: 'waiting', message: 'Nothing has been collected yet.' }],
  ['the first collection failed', arriving(null, 'It is deaf.'), { state: 'waiting', message: 'It is deaf.' }],
  ['figures have just arrived', arriving(20), { state: 'current', message: null }],
  [
    'the last collection failed, or brought not all',
    arriving(50, 'It is deaf.'),
    { state: 'current', message: 'It is deaf.' },
  ],
  ['many failed', arriving(200, 'It is deaf.'), { state: 'stale', message: 'It is deaf.' }],
  ['nobody collects', arriving(200), { state: 'stale', message: 'No new figures have arrived.' }],
])('it is told that %s', async (_, told, expected) => {
  expect(await told).toMatchObject([{ clusterId: 'c1', clusterName: 'Harbour', ...expected }])
})

test('a portal without a Prometheus tells which setting it takes', async () => {
  expect(await arriving(20, null, false)).toMatchObject([
    { state: 'off', message: expect.stringContaining('PROMETHEUS_URL') },
  ])
})

test('a cluster of which nothing is known waits', async () => {
  const collections = createCollections({
    ...{ hasPrometheus: true, everySeconds: 30 },
    store: { of: async () => [] },
    clusterNames: async () => new Map(),
  })
  expect(await collections('demo', ['c2'])).toMatchObject([{ clusterName: 'c2', state: 'waiting', at: null }])
})
