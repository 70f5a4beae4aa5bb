import { expect, test } from 'vitest'
import { liveCluster, template } from '../sandbox.test-support.ts'
import { nodeObject } from '../seed.ts'

const daemon = (spec: Record<string, unknown> = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent'), ...spec },
})

test('every node gets its daemon, new nodes too, and tainted ones do not', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/daemonsets', daemon())
  const ready = (count: number) =>
    cluster.until(`${count} daemons`, () => {
      const { status } = cluster.get('apps/daemonsets', 'agent') ?? {}
      return status?.numberReady === count && status.desiredNumberScheduled === count
    })
  await ready(3)
  expect(new Set(cluster.pods('agent').map(({ spec }) => spec.nodeName)).size).toBe(3)
  const pool = { name: 'more', count: 1, cpu: '4', memory: '8Gi' }
  cluster.objects.create('/nodes', nodeObject(pool, 1, 9, cluster.clock.now()))
  await ready(4)
  const tainted = {
    ...nodeObject(pool, 2, 10, cluster.clock.now()),
    spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
  }
  cluster.objects.create('/nodes', tainted)
  await cluster.until('node seen', () => cluster.store.get('/nodes', undefined, 'more-2'))
  expect(cluster.pods('agent')).toHaveLength(4)
})

test('an update replaces daemons one by one', async () => {
  using cluster = liveCluster()
  const made = cluster.apply('apps/daemonsets', daemon())
  const current = () => cluster.get('apps/daemonsets', 'agent')?.status
  await cluster.until('ready', () => current()?.numberReady === 3)
  let fewest = 3
  cluster.objects.subscribe(() => {
    fewest = Math.min(fewest, cluster.pods('agent').filter(({ metadata }) => !metadata.deletionTimestamp).length)
  })
  const containers = [{ name: 'app', image: 'registry.example/agent:2' }]
  cluster.store.update('apps/daemonsets', made, (own) => ({
    ...own,
    spec: { ...own.spec, template: template('agent', { containers }) },
  }))
  await cluster.until('updated', () => current()?.updatedNumberScheduled === 3 && current()?.numberReady === 3)
  expect(fewest).toBeGreaterThanOrEqual(2)
})
