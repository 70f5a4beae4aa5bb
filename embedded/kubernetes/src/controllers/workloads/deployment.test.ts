import { expect, test } from 'vitest'
import { conditionOf } from '../engine/conditions.ts'
import { deployment, liveCluster, template } from '../sandbox.test-support.ts'
import { isReady } from './pod-facts.ts'

const ready = (cluster: ReturnType<typeof liveCluster>, name: string, count: number) =>
  cluster.until(`${name} ready`, () => {
    const found = cluster.get('apps/deployments', name)
    const { status } = found ?? {}
    return (
      status?.observedGeneration === found?.metadata.generation &&
      status?.readyReplicas === count &&
      status.updatedReplicas === count &&
      status.replicas === count &&
      found
    )
  })

test('a deployment comes up through a replica set, and says so', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web'))
  const { status, metadata } = await ready(cluster, 'web', 2)
  expect(metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1')
  expect(conditionOf(status?.conditions, 'Available')).toMatchObject({
    status: 'True',
    reason: 'MinimumReplicasAvailable',
  })
  await cluster.until(
    'progress',
    () =>
      conditionOf(cluster.get('apps/deployments', 'web')?.status?.conditions, 'Progressing')?.reason ===
      'NewReplicaSetAvailable',
  )
  const [set] = cluster.store.list('apps/replicasets', 'default')
  expect(set?.metadata.name).toBe(`web-${set?.metadata.labels?.['pod-template-hash']}`)
  const [pod] = cluster.pods()
  expect(pod?.metadata.ownerReferences?.[0]).toMatchObject({
    kind: 'ReplicaSet',
    name: set?.metadata.name,
    controller: true,
  })
  expect(pod?.status?.containerStatuses?.[0]).toMatchObject({
    ready: true,
    restartCount: 0,
    image: 'registry.example/web:1',
  })
  const said = cluster.events('web').map((line) => line.split(' ')[0])
  for (const reason of [
    'ScalingReplicaSet',
    'SuccessfulCreate',
    'Scheduled',
    'Pulling',
    'Pulled',
    'Created',
    'Started',
  ]) {
    expect(said).toContain(reason)
  }
})

test('a rolling update replaces pods without going below what is allowed, and keeps its history', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web', { replicas: 4, revisionHistoryLimit: 1 }))
  await ready(cluster, 'web', 4)
  let fewest = 4
  const stop = cluster.objects.subscribe(() => {
    fewest = Math.min(fewest, cluster.pods().filter((pod) => isReady(pod) && !pod.metadata.deletionTimestamp).length)
  })
  for (const tag of ['2', '3', '4']) {
    const current = cluster.get('apps/deployments', 'web')
    if (!current) throw new Error('gone')
    const containers = [{ name: 'app', image: `registry.example/web:${tag}` }]
    cluster.store.update('apps/deployments', current, (own) => ({
      ...own,
      spec: { ...own.spec, template: template('web', { containers }) },
    }))
    await ready(cluster, 'web', 4)
  }
  stop()
  expect(fewest).toBeGreaterThanOrEqual(3)
  expect(cluster.get('apps/deployments', 'web')?.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('4')
  await cluster.until('history', () => cluster.store.list('apps/replicasets', 'default').length === 2)
})

test('Recreate lets the old pods go first', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web', { strategy: { type: 'Recreate' } }))
  await ready(cluster, 'web', 2)
  let most = 0
  const stop = cluster.objects.subscribe(() => {
    most = Math.max(most, cluster.pods().length)
  })
  const current = cluster.get('apps/deployments', 'web')
  if (!current) throw new Error('gone')
  const containers = [{ name: 'app', image: 'registry.example/web:2' }]
  cluster.store.update('apps/deployments', current, (own) => ({
    ...own,
    spec: { ...own.spec, template: template('web', { containers }) },
  }))
  await ready(cluster, 'web', 2)
  stop()
  expect(most).toBe(2)
})

test('a deployment that never becomes ready runs into its progress deadline', async () => {
  using cluster = liveCluster()
  const fault = { 'sandbox.quayside.io/fault': 'never-ready' }
  cluster.apply('apps/deployments', deployment('web', { progressDeadlineSeconds: 20 }, fault))
  await cluster.until('deadline', () => {
    const progressing = conditionOf(cluster.get('apps/deployments', 'web')?.status?.conditions, 'Progressing')
    return progressing?.status === 'False' && progressing.reason === 'ProgressDeadlineExceeded'
  })
  expect(cluster.events('web').join('\n')).toContain('Unhealthy Readiness probe failed')
})

test('a lifted fault lets the deployment finish', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web', {}, { 'sandbox.quayside.io/fault': 'image-pull-failure' }))
  const stuck = await cluster.until('back-off', () =>
    cluster.pods().find(({ status }) => status?.containerStatuses?.[0]?.state.waiting?.reason === 'ImagePullBackOff'),
  )
  expect(stuck.status?.phase).toBe('Pending')
  const current = cluster.get('apps/deployments', 'web')
  if (!current) throw new Error('gone')
  cluster.store.update('apps/deployments', current, (own) => ({
    ...own,
    metadata: { ...own.metadata, annotations: {} },
  }))
  await ready(cluster, 'web', 2)
})

test('paused deployments scale but do not roll out', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web'))
  const current = await ready(cluster, 'web', 2)
  const containers = [{ name: 'app', image: 'registry.example/web:2' }]
  cluster.store.update('apps/deployments', current, (own) => ({
    ...own,
    spec: { ...own.spec, paused: true, replicas: 3, template: template('web', { containers }) },
  }))
  await cluster.until('scaled', () => cluster.pods().filter(isReady).length === 3)
  expect(cluster.store.list('apps/replicasets', 'default')).toHaveLength(1)
  expect(conditionOf(cluster.get('apps/deployments', 'web')?.status?.conditions, 'Progressing')?.reason).toBe(
    'DeploymentPaused',
  )
})
