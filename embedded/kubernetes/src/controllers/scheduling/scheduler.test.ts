import { expect, test } from 'vitest'
import { conditionOf } from '../engine/conditions.ts'
import { liveCluster } from '../sandbox.test-support.ts'
import { nodeObject } from '../seed.ts'

const pod = (name: string, spec: Record<string, unknown> = {}, labels?: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }], ...spec },
})

const needing = (cpu: string, memory = '1Mi') => ({
  containers: [{ name: 'app', image: 'registry.example/app:1', resources: { requests: { cpu, memory } } }],
})

const why = (cluster: ReturnType<typeof liveCluster>, name: string) =>
  cluster.until(`${name} held`, () => {
    const condition = conditionOf(cluster.get('/pods', name)?.status?.conditions, 'PodScheduled')
    return condition?.status === 'False' && condition.message
  })

const placed = (cluster: ReturnType<typeof liveCluster>, name: string) =>
  cluster.until(`${name} placed`, () => cluster.get('/pods', name)?.spec.nodeName)

const oneLabelled = (term: object) => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
})

test.each([
  [
    'too large',
    needing('10', '1Ti'),
    '0/3 nodes are available: 3 Insufficient cpu, 3 Insufficient memory. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
  ],
  [
    'no such label',
    { nodeSelector: { disk: 'fast' } },
    "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  ],
  [
    'no such claim',
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'missing' } }] },
    '0/3 nodes are available: persistentvolumeclaim "missing" not found. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
  ],
])('%s: says why', async (_, spec, message) => {
  using cluster = liveCluster()
  cluster.apply('/pods', pod('held', spec))
  expect(await why(cluster, 'held')).toBe(message)
  expect(cluster.events('held')).toContain(`FailedScheduling ${message}`)
})

test('taints keep away who does not tolerate them', async () => {
  using cluster = liveCluster({ pools: [{ name: 'gpu', count: 1, cpu: '4', memory: '8Gi' }] })
  const node = cluster.store.get('/nodes', undefined, 'gpu-1')
  if (!node) throw new Error('no node')
  cluster.store.update('/nodes', node, (own) => ({
    ...own,
    spec: { ...own.spec, taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
  }))
  cluster.apply('/pods', pod('plain'))
  expect(await why(cluster, 'plain')).toContain('1 node(s) had untolerated taint {gpu: yes}')
  cluster.apply('/pods', pod('tolerant', { tolerations: [{ key: 'gpu', operator: 'Exists' }] }))
  expect(await placed(cluster, 'tolerant')).toBe('gpu-1')
})

test('pods that keep apart take a node each, and the next one waits', async () => {
  using cluster = liveCluster()
  const apart = oneLabelled({ labelSelector: { matchLabels: { app: 'apart' } }, topologyKey: 'kubernetes.io/hostname' })
  for (const name of ['a', 'b', 'c']) cluster.apply('/pods', pod(name, apart, { app: 'apart' }))
  const nodes = await Promise.all(['a', 'b', 'c'].map((name) => placed(cluster, name)))
  expect(new Set(nodes).size).toBe(3)
  cluster.apply('/pods', pod('d', apart, { app: 'apart' }))
  expect(await why(cluster, 'd')).toContain("3 node(s) didn't match pod anti-affinity rules")
  cluster.apply('/pods', pod('e', {}, { app: 'apart' }))
  expect(await why(cluster, 'e')).toContain("3 node(s) didn't satisfy existing pods anti-affinity rules")
})

test('a held pod is placed as soon as there is room', async () => {
  using cluster = liveCluster({ pools: [{ name: 'small', count: 1, cpu: '1', memory: '2Gi' }] })
  const first = cluster.apply('/pods', pod('first', needing('800m')))
  await placed(cluster, 'first')
  cluster.apply('/pods', pod('second', needing('800m')))
  await why(cluster, 'second')
  cluster.store.delete('/pods', first)
  await placed(cluster, 'second')
  cluster.apply('/pods', pod('third', needing('2')))
  await why(cluster, 'third')
  cluster.objects.create(
    '/nodes',
    nodeObject({ name: 'large', count: 1, cpu: '8', memory: '16Gi' }, 1, 5, cluster.clock.now()),
  )
  expect(await placed(cluster, 'third')).toBe('large-1')
})
