import { expect, test } from 'vitest'
import { conditionOf } from '../engine/conditions.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { deployment, liveCluster } from '../sandbox.test-support.ts'
import { isReady } from '../workloads/pod-facts.ts'

const IMAGE = 'registry.example/app:1'
const pod = (name: string, spec: Record<string, unknown> = {}, annotations?: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations },
  spec: { containers: [{ name: 'app', image: IMAGE }], ...spec },
})

const fault = (name: string) => ({ 'sandbox.quayside.io/fault': name })
const waiting = (cluster: ReturnType<typeof liveCluster>, name: string, reason: string) =>
  cluster.until(`${name} ${reason}`, () => {
    const { state } = cluster.get('/pods', name)?.status?.containerStatuses?.[0] ?? {}
    return state?.waiting?.reason === reason && state.waiting
  })
const ready = (cluster: ReturnType<typeof liveCluster>, name: string) =>
  cluster.until(`${name} ready`, () => {
    const found = cluster.get('/pods', name)
    return found && isReady(found) && found
  })

test('init containers run in order before the rest, a second pod finds its image there', async () => {
  using cluster = liveCluster({ pools: [{ name: 'only', count: 1, cpu: '4', memory: '8Gi' }] })
  const initContainers = ['one', 'two'].map((name) => ({ name, image: `registry.example/${name}:1` }))
  cluster.apply('/pods', pod('first', { initContainers }))
  const { status } = await ready(cluster, 'first')
  expect(status?.podIP).toMatch(/^10\.24[4-7]\./)
  expect(status?.initContainerStatuses?.map(({ state }) => state.terminated?.exitCode)).toEqual([0, 0])
  const started = cluster.events('first').filter((line) => line.startsWith('Started'))
  expect(started).toEqual([
    'Started Started container one',
    'Started Started container two',
    'Started Started container app',
  ])
  cluster.apply('/pods', pod('second'))
  await ready(cluster, 'second')
  expect(cluster.events('second')).toContain(`Pulled Container image "${IMAGE}" already present on machine`)
})

test.each([
  ['registry.example/unpullable:1', undefined],
  ['registry.example/app:does-not-exist', undefined],
  [IMAGE, fault('image-pull-failure')],
])('%s is not to be had', async (image, annotations) => {
  using cluster = liveCluster()
  cluster.apply('/pods', pod('stuck', { containers: [{ name: 'app', image }] }, annotations))
  expect((await waiting(cluster, 'stuck', 'ErrImagePull')).message).toContain('not found')
  expect((await waiting(cluster, 'stuck', 'ImagePullBackOff')).message).toContain(`Back-off pulling image "${image}"`)
  await cluster.until('second try', () =>
    cluster.store
      .list('/events')
      .some((event) => event.message === `Pulling image "${image}"` && Number(event.count) > 1),
  )
})

test('a crash loop restarts with growing pauses', async () => {
  using cluster = liveCluster()
  let everReady = false
  cluster.objects.subscribe((_, { object }) => {
    everReady ||= object.kind === 'Pod' && isReady(object as Pod)
  })
  cluster.apply('/pods', pod('crash', {}, fault('crash-loop')))
  expect((await waiting(cluster, 'crash', 'CrashLoopBackOff')).message).toMatch(
    /^back-off 10s restarting failed container=app pod=crash_default/,
  )
  const status = await cluster.until('restarts', () => {
    const found = cluster.get('/pods', 'crash')?.status?.containerStatuses?.[0]
    return found && found.restartCount >= 3 && found
  })
  expect(status.lastState.terminated).toMatchObject({ exitCode: 1, reason: 'Error' })
  expect(everReady).toBe(false)
  const previous = cluster.controllers().podLog('default', 'crash', { previous: true })
  expect(previous.text).toContain('exit code 1')
})

test('what is missing keeps a pod waiting until it appears', async () => {
  using cluster = liveCluster()
  const data = { a: 'b' }
  cluster.apply('/pods', pod('mounts', { volumes: [{ name: 'conf', configMap: { name: 'conf' } }] }))
  await cluster.until('told', () =>
    cluster
      .events('mounts')
      .includes('FailedMount MountVolume.SetUp failed for volume "conf" : configmap "conf" not found'),
  )
  cluster.apply('/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf' }, data })
  await ready(cluster, 'mounts')
  const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 'pass', key: 'a' } } }]
  cluster.apply('/pods', pod('env', { containers: [{ name: 'app', image: IMAGE, env }] }))
  expect((await waiting(cluster, 'env', 'CreateContainerConfigError')).message).toBe('secret "pass" not found')
  cluster.apply('/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pass' }, data })
  await ready(cluster, 'env')
})

test('slow-start takes its time, never-ready never comes', async () => {
  using cluster = liveCluster()
  cluster.apply('/pods', pod('slow', {}, fault('slow-start')))
  cluster.apply('/pods', pod('never', {}, fault('never-ready')))
  const begun = cluster.clock.now()
  await ready(cluster, 'slow')
  expect(cluster.clock.now() - begun).toBeGreaterThan(30_000)
  expect(conditionOf(cluster.get('/pods', 'never')?.status?.conditions, 'Ready')).toMatchObject({
    status: 'False',
    reason: 'ContainersNotReady',
  })
})

test('a deleted pod stops its containers and goes', async () => {
  using cluster = liveCluster()
  const made = cluster.apply('/pods', pod('gone'))
  await ready(cluster, 'gone')
  cluster.store.delete('/pods', made)
  expect(cluster.get('/pods', 'gone')?.metadata.deletionTimestamp).toBeDefined()
  await cluster.until('gone', () => !cluster.get('/pods', 'gone'))
  expect(cluster.events('gone')).toContain('Killing Stopping container app')
})

test('logs begin with what runs, take options, and can be followed to the end', async () => {
  using cluster = liveCluster()
  cluster.apply('/pods', pod('talks'))
  await ready(cluster, 'talks')
  const { podLog } = cluster.controllers()
  const { text } = podLog('default', 'talks', {})
  expect(text).toContain(`simulated container app of image ${IMAGE} starting`)
  expect(podLog('default', 'talks', { tailLines: 1 }).text.trimEnd().split('\n')).toHaveLength(1)
  expect(podLog('default', 'talks', { timestamps: true, tailLines: 1 }).text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z time=/)
  let heard = ''
  const stop = podLog('default', 'talks', { follow: true }).subscribe((chunk) => {
    heard += chunk
  })
  await cluster.until(
    'two heartbeats',
    () => heard.split('\n').filter((line) => line.includes('alive for')).length >= 2,
  )
  stop()
  expect(new Set(heard.split('\n')).size).toBe(heard.split('\n').length)
  expect(() => podLog('default', 'talks', { container: 'other' })).toThrow('container other is not valid for pod talks')
  expect(() => podLog('default', 'none', {})).toThrow('pods "none" not found')
})

test('a certificate job makes the secret that others mount', async () => {
  using cluster = liveCluster()
  cluster.apply('/pods', pod('web', { volumes: [{ name: 'cert', secret: { secretName: 'admission' } }] }))
  await cluster.until('waiting', () => cluster.events('web').some((line) => line.startsWith('FailedMount')))
  const env = [{ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }]
  const args = ['create', '--host=web,web.default.svc', '--namespace=$(POD_NAMESPACE)', '--secret-name=admission']
  cluster.apply(
    '/pods',
    pod('certgen', { restartPolicy: 'Never', containers: [{ name: 'create', image: IMAGE, args, env }] }),
  )
  await ready(cluster, 'web')
  expect(Object.keys(cluster.get('/secrets', 'admission')?.data ?? {})).toEqual(['ca', 'cert', 'key'])
})

test('a certificate is issued once cert-manager runs', async () => {
  using cluster = liveCluster()
  const names = { plural: 'certificates', kind: 'Certificate' }
  cluster.objects.create('apiextensions.k8s.io/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'certificates.cert-manager.io' },
    spec: { group: 'cert-manager.io', scope: 'Namespaced', names },
  })
  const spec = { secretName: 'web-tls', dnsNames: ['web.example'] }
  cluster.apply('cert-manager.io/certificates', {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: 'web' },
    spec,
  })
  cluster.apply('/pods', pod('web', { volumes: [{ name: 'tls', secret: { secretName: 'web-tls' } }] }))
  await cluster.until('waiting', () => cluster.events('web').some((line) => line.startsWith('FailedMount')))
  cluster.apply(
    '/pods',
    pod('manager', { containers: [{ name: 'app', image: 'registry.example/cert-manager-controller:1' }] }),
  )
  await ready(cluster, 'web')
  expect(cluster.get('/secrets', 'web-tls')?.type).toBe('kubernetes.io/tls')
})

test('ephemeral volumes bring their claim, and it goes with the pod', async () => {
  using cluster = liveCluster()
  const volumeClaimTemplate = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }
  const made = cluster.apply(
    '/pods',
    pod('temp', { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate } }] }),
  )
  await ready(cluster, 'temp')
  expect(cluster.get('/persistentvolumeclaims', 'temp-scratch')?.status?.phase).toBe('Bound')
  cluster.store.delete('/pods', made)
  await cluster.until('claim gone', () => !cluster.get('/persistentvolumeclaims', 'temp-scratch'))
})

test('work under way goes on after a restart', async () => {
  using cluster = liveCluster()
  cluster.apply('apps/deployments', deployment('web', { replicas: 3 }))
  await cluster.until('pulling', () => cluster.events('web').some((line) => line.startsWith('Pulling')))
  cluster.restart()
  await cluster.until('ready', () => cluster.get('apps/deployments', 'web')?.status?.readyReplicas === 3)
  expect(cluster.pods('web')).toHaveLength(3)
})
