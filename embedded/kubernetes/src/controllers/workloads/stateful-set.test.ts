import { expect, test } from 'vitest'
import { liveCluster, template } from '../sandbox.test-support.ts'

function statefulSet(spec: Record<string, unknown> = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: template('db'),
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
      ...spec,
    },
  }
}

const allReady = (cluster: ReturnType<typeof liveCluster>, count: number) =>
  cluster.until(`${count} ready`, () => {
    const set = cluster.get('apps/statefulsets', 'db')
    const { status } = set ?? {}
    return (
      status?.observedGeneration === set?.metadata.generation &&
      (status?.readyReplicas ?? 0) === count &&
      status?.updatedReplicas === count &&
      status.replicas === count &&
      set
    )
  })

test('pods come one after another, each with its claim, and go in the opposite order', async () => {
  using cluster = liveCluster()
  const order: string[] = []
  cluster.objects.subscribe((resource, { type, object }) => {
    if (resource === '/pods' && type !== 'MODIFIED') order.push(`${type} ${object.metadata.name}`)
  })
  const set = cluster.apply('apps/statefulsets', statefulSet())
  await allReady(cluster, 3)
  expect(order).toEqual(['ADDED db-0', 'ADDED db-1', 'ADDED db-2'])
  const claims = cluster.store.list('/persistentvolumeclaims', 'default')
  expect(claims.map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual([
    ['data-db-0', 'Bound'],
    ['data-db-1', 'Bound'],
    ['data-db-2', 'Bound'],
  ])
  expect(cluster.get('/pods', 'db-1')?.metadata.labels).toMatchObject({
    'statefulset.kubernetes.io/pod-name': 'db-1',
    'apps.kubernetes.io/pod-index': '1',
  })
  cluster.store.update('apps/statefulsets', set, (own) => ({ ...own, spec: { ...own.spec, replicas: 1 } }))
  await allReady(cluster, 1)
  await cluster.until('gone', () => cluster.pods().length === 1)
  expect(order.slice(3)).toEqual(['DELETED db-2', 'DELETED db-1'])
  expect(cluster.store.list('/persistentvolumeclaims', 'default')).toHaveLength(3)
})

test('an update replaces pods from the highest ordinal down to the partition', async () => {
  using cluster = liveCluster()
  const set = cluster.apply(
    'apps/statefulsets',
    statefulSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }),
  )
  const before = await allReady(cluster, 3)
  const containers = [{ name: 'app', image: 'registry.example/db:2' }]
  cluster.store.update('apps/statefulsets', set, (own) => ({
    ...own,
    spec: { ...own.spec, template: template('db', { containers }) },
  }))
  const image = (name: string) => cluster.get('/pods', name)?.spec.containers[0]?.image
  const after = await cluster.until('updated', () => {
    const found = cluster.get('apps/statefulsets', 'db')
    return found?.status?.updatedReplicas === 2 && found.status.readyReplicas === 3 && found
  })
  expect(['db-0', 'db-1', 'db-2'].map(image)).toEqual([
    'registry.example/db:1',
    'registry.example/db:2',
    'registry.example/db:2',
  ])
  expect(after.status?.currentRevision).toBe(before.status?.currentRevision)
  expect(after.status?.updateRevision).not.toBe(before.status?.currentRevision)
})

test('with Parallel all pods come at once', async () => {
  using cluster = liveCluster()
  cluster.apply(
    'apps/statefulsets',
    statefulSet({
      podManagementPolicy: 'Parallel',
      template: template('db', {}, { 'sandbox.quayside.io/fault': 'never-ready' }),
    }),
  )
  await cluster.until('all there', () => cluster.pods().length === 3)
})
