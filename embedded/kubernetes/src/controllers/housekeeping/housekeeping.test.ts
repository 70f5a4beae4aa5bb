import { expect, test } from 'vitest'
import { conditionOf } from '../engine/conditions.ts'
import { deployment, liveCluster } from '../sandbox.test-support.ts'

const running = (cluster: ReturnType<typeof liveCluster>, name: string, count: number) =>
  cluster.until(`${name} ready`, () => {
    const found = cluster.get('apps/deployments', name)
    return (found?.status?.readyReplicas ?? 0) === count && found
  })

test('what a deleted deployment owns goes in the background', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web'))
  cluster.store.delete('apps/deployments', await running(cluster, 'web', 2))
  expect(cluster.get('apps/deployments', 'web')).toBeUndefined()
  await cluster.until(
    'all gone',
    () => cluster.pods().length === 0 && cluster.store.list('apps/replicasets').length === 0,
  )
})

test('foreground deletion waits for what is owned', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web'))
  const made = await running(cluster, 'web', 2)
  cluster.store.delete('apps/deployments', made, { propagationPolicy: 'Foreground' })
  expect(cluster.get('apps/deployments', 'web')?.metadata.finalizers).toEqual(['foregroundDeletion'])
  let podsAtTheEnd = -1
  cluster.objects.subscribe((resource, { type }) => {
    if (resource === 'apps/deployments' && type === 'DELETED') podsAtTheEnd = cluster.pods().length
  })
  await cluster.until('gone', () => !cluster.get('apps/deployments', 'web'))
  expect(podsAtTheEnd).toBe(0)
})

test('orphaned sets live on without their owner, and a new one of the same template takes them in', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web'))
  cluster.store.delete('apps/deployments', await running(cluster, 'web', 2), { propagationPolicy: 'Orphan' })
  await cluster.until('gone', () => !cluster.get('apps/deployments', 'web'))
  const names = cluster.pods().map(({ metadata }) => metadata.name)
  expect(cluster.store.list('apps/replicasets')[0]?.metadata.ownerReferences).toBeUndefined()
  cluster.apply('apps/deployments', deployment('web'))
  await running(cluster, 'web', 2)
  expect(cluster.pods().map(({ metadata }) => metadata.name)).toEqual(names)
})

test('an object whose owner never was is collected', async () => {
  using cluster = liveCluster()
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'not-there' }]
  cluster.apply('/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'lost', ownerReferences } })
  await cluster.until('gone', () => !cluster.get('/secrets', 'lost'))
})

test('a namespace is furnished, and emptied when it goes', async () => {
  using cluster = liveCluster()
  const metadata = { name: 'team' }
  const made = cluster.objects.create('/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
  await cluster.until(
    'furnished',
    () =>
      cluster.store.get('/serviceaccounts', 'team', 'default') &&
      cluster.store.get('/configmaps', 'team', 'kube-root-ca.crt'),
  )
  const web = deployment('web')
  cluster.apply('apps/deployments', { ...web, metadata: { ...web.metadata, namespace: 'team' } })
  const blocker = cluster.apply('/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'held', namespace: 'team', finalizers: ['example.org/hold'] },
  })
  await cluster.until(
    'running',
    () => cluster.store.get('apps/deployments', 'team', 'web')?.status?.readyReplicas === 2,
  )
  cluster.store.delete('/namespaces', made)
  const status = () => cluster.store.get('/namespaces', undefined, 'team')?.status
  await cluster.until('only the held one is left', () => {
    const message = conditionOf(status()?.conditions, 'NamespaceContentRemaining')?.message
    return message === 'Some resources are remaining: configmaps. has 1 resource instances'
  })
  expect(status()?.phase).toBe('Terminating')
  cluster.store.update('/configmaps', blocker, (own) => ({ ...own, metadata: { ...own.metadata, finalizers: [] } }))
  await cluster.until('gone', () => !cluster.store.get('/namespaces', undefined, 'team'))
  expect(cluster.store.list('/pods', 'team')).toEqual([])
})

test('pods leave a node that is down, and it comes back clean', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web', { replicas: 3 }))
  await running(cluster, 'web', 3)
  const [victim] = cluster.pods('web')
  const name = victim?.spec.nodeName ?? ''
  const node = () => cluster.store.get('/nodes', undefined, name)
  const annotate = (annotations: Record<string, string>) => {
    const current = node()
    if (current)
      cluster.store.update('/nodes', current, (own) => ({ ...own, metadata: { ...own.metadata, annotations } }))
  }
  annotate({ 'sandbox.quayside.io/fault': 'node-down' })
  await cluster.until('not ready', () => conditionOf(node()?.status?.conditions, 'Ready')?.status === 'Unknown')
  expect(node()?.spec?.taints?.map(({ key, effect }) => `${key}:${effect}`)).toContain(
    'node.kubernetes.io/unreachable:NoExecute',
  )
  await cluster.until(
    'three elsewhere',
    () =>
      cluster.pods('web').filter(({ spec, status }) => spec.nodeName !== name && status?.phase === 'Running').length ===
      3,
  )
  expect(cluster.get('/pods', victim?.metadata.name ?? '')?.metadata.deletionTimestamp).toBeDefined()
  annotate({})
  await cluster.until(
    'back',
    () => conditionOf(node()?.status?.conditions, 'Ready')?.status === 'True' && node()?.spec?.taints?.length === 0,
  )
  await cluster.until('cleared', () => !cluster.get('/pods', victim?.metadata.name ?? ''))
})

test('token secrets are filled for their account and go with it', async () => {
  using cluster = liveCluster()
  const account = cluster.apply('/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot' },
  })
  const secretOf = (name: string) =>
    cluster.apply('/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${name}-token`, annotations: { 'kubernetes.io/service-account.name': name } },
      type: 'kubernetes.io/service-account-token',
    })
  secretOf('robot')
  secretOf('nobody')
  await cluster.until('taken away', () => !cluster.get('/secrets', 'nobody-token'))
  await cluster.until('token', () => cluster.get('/secrets', 'robot-token')?.data?.token)
  cluster.store.delete('/serviceaccounts', account)
  await cluster.until('gone', () => !cluster.get('/secrets', 'robot-token'))
})

test('new kinds are announced as established', async () => {
  using cluster = liveCluster()
  const names = { plural: 'boats', kind: 'Boat' }
  cluster.objects.create('apiextensions.k8s.io/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boats.example.org' },
    spec: { group: 'example.org', scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true }] },
  })
  await cluster.until('established', () => {
    const found = cluster.store.get('apiextensions.k8s.io/customresourcedefinitions', undefined, 'boats.example.org')
    return conditionOf(found?.status?.conditions, 'Established')?.status === 'True'
  })
})
