import { expect, test } from 'vitest'
import { liveCluster } from '../sandbox.test-support.ts'

const claim = (name: string, spec: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, ...spec },
})

const user = (name: string, claimName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    containers: [{ name: 'app', image: 'registry.example/app:1' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  },
})

const phase = (cluster: ReturnType<typeof liveCluster>, name: string, wanted: string) =>
  cluster.until(`${name} ${wanted}`, () => {
    const found = cluster.get('/persistentvolumeclaims', name)
    return found?.status?.phase === wanted && found
  })

test('the default class provides a volume, and takes it away with the claim', async () => {
  using cluster = liveCluster()
  cluster.apply('/persistentvolumeclaims', claim('data'))
  const bound = await phase(cluster, 'data', 'Bound')
  expect(bound.spec).toMatchObject({ storageClassName: 'standard', volumeName: `pvc-${bound.metadata.uid}` })
  expect(bound.status?.capacity).toEqual({ storage: '2Gi' })
  const volume = () => cluster.store.get('/persistentvolumes', undefined, bound.spec.volumeName ?? '')
  await cluster.until('volume bound', () => volume()?.status?.phase === 'Bound')
  cluster.store.delete('/persistentvolumeclaims', bound)
  await cluster.until('volume gone', () => !volume())
})

test('a claim in use stays until its pod is gone', async () => {
  using cluster = liveCluster()
  const made = cluster.apply('/persistentvolumeclaims', claim('data'))
  const pod = cluster.apply('/pods', user('app', 'data'))
  await cluster.until('running', () => cluster.get('/pods', 'app')?.status?.phase === 'Running')
  cluster.store.delete('/persistentvolumeclaims', made)
  expect(cluster.get('/persistentvolumeclaims', 'data')?.metadata.deletionTimestamp).toBeDefined()
  cluster.store.delete('/pods', pod)
  await cluster.until('claim gone', () => !cluster.get('/persistentvolumeclaims', 'data'))
})

test('WaitForFirstConsumer binds where its first pod goes', async () => {
  using cluster = liveCluster()
  cluster.apply('/persistentvolumeclaims', claim('data', { storageClassName: 'local' }))
  await cluster.until('waits', () => cluster.events('data').some((line) => line.startsWith('WaitForFirstConsumer')))
  expect(cluster.get('/persistentvolumeclaims', 'data')?.status?.phase).toBe('Pending')
  cluster.apply('/pods', user('app', 'data'))
  const bound = await phase(cluster, 'data', 'Bound')
  await cluster.until('running', () => cluster.get('/pods', 'app')?.status?.phase === 'Running')
  expect(bound.metadata.annotations?.['volume.kubernetes.io/selected-node']).toBe(
    cluster.get('/pods', 'app')?.spec.nodeName,
  )
})

test('an unknown class leaves the claim pending and its pod with a reason', async () => {
  using cluster = liveCluster()
  cluster.apply('/persistentvolumeclaims', claim('data', { storageClassName: 'gold' }))
  cluster.apply('/pods', user('app', 'data'))
  await cluster.until('told', () =>
    cluster.events('data').includes('ProvisioningFailed storageclass.storage.k8s.io "gold" not found'),
  )
  await cluster.until('pod told', () =>
    cluster.events('app').some((line) => line.includes('pod has unbound immediate PersistentVolumeClaims')),
  )
})

test('a volume made by hand is taken, and kept after its claim', async () => {
  using cluster = liveCluster()
  const metadata = { name: 'disk' }
  const spec = {
    capacity: { storage: '5Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'hand',
    persistentVolumeReclaimPolicy: 'Retain',
  }
  cluster.objects.create('/persistentvolumes', { apiVersion: 'v1', kind: 'PersistentVolume', metadata, spec })
  const made = cluster.apply('/persistentvolumeclaims', claim('data', { storageClassName: 'hand' }))
  expect((await phase(cluster, 'data', 'Bound')).spec.volumeName).toBe('disk')
  cluster.store.delete('/persistentvolumeclaims', made)
  await cluster.until(
    'released',
    () => cluster.store.get('/persistentvolumes', undefined, 'disk')?.status?.phase === 'Released',
  )
})
