import { expect, test } from 'vitest'
import { liveCluster } from '../sandbox.test-support.ts'
import { isReady } from '../workloads/pod-facts.ts'

type Cluster = ReturnType<typeof liveCluster>

const RBAC = 'rbac.authorization.k8s.io'
const pod = (name: string, spec: Record<string, unknown>) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }], ...spec },
})

const program = (name: string, container: Record<string, unknown>, restartPolicy = 'Never') =>
  pod(name, {
    restartPolicy,
    serviceAccountName: 'maker',
    containers: [{ name: 'tool', image: 'registry.example/tool:1', ...container }],
  })

const readsKey = (name: string, key: string) =>
  pod(`reads-${name}-${key}`, {
    containers: [
      {
        name: 'app',
        image: 'registry.example/app:1',
        env: [{ name: 'A', valueFrom: { secretKeyRef: { name, key } } }],
      },
    ],
  })

function allow(cluster: Cluster, verbs: string[], resourceNames: string[] = []) {
  const rules = [{ apiGroups: [''], resources: ['secrets'], verbs }]
  const named = { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames }
  cluster.apply(`${RBAC}/roles`, {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata: { name: 'maker' },
    rules: resourceNames.length > 0 ? [...rules, named] : rules,
  })
  cluster.apply(`${RBAC}/rolebindings`, {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'maker' },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'maker' },
    subjects: [{ kind: 'ServiceAccount', name: 'maker' }],
  })
}

const succeeded = (cluster: Cluster, name: string) =>
  cluster.until(`${name} succeeded`, () => cluster.get('/pods', name)?.status?.phase === 'Succeeded')
const ready = (cluster: Cluster, name: string) =>
  cluster.until(`${name} ready`, () => {
    const found = cluster.get('/pods', name)
    return found && isReady(found)
  })
const blocked = (cluster: Cluster, name: string) =>
  cluster.until(`${name} blocked`, () => cluster.events(name).some((line) => /not found$/.test(line)))

test('a job with rights to a Secret by name leaves it behind, with the keys that pods ask for', async () => {
  using cluster = liveCluster()
  allow(cluster, ['create'], ['password'])
  cluster.apply('/pods', program('init', { args: ['initial-password'] }))
  await succeeded(cluster, 'init')
  cluster.apply('/pods', readsKey('password', 'auth'))
  await ready(cluster, 'reads-password-auth')
  cluster.apply('/pods', readsKey('password', 'second'))
  await ready(cluster, 'reads-password-second')
  const { metadata, data = {} } = cluster.get('/secrets', 'password') ?? expect.fail('no Secret')
  expect(Object.keys(data).sort()).toEqual(['auth', 'second'])
  expect(metadata.annotations).toEqual({ 'sandbox.quayside.io/made-by': 'init' })
})

test('pods that wait already get what a script in a ConfigMap names, once it has run', async () => {
  using cluster = liveCluster()
  allow(cluster, ['get', 'create', 'patch'])
  const script = 'make_if_absent "shop-token" --from-literal=token=$(random 64)\n'
  const metadata = { name: 'script' }
  cluster.apply('/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { run: script } })
  cluster.apply('/pods', readsKey('shop-token', 'token'))
  cluster.apply('/pods', readsKey('shop-tok', 'token'))
  await blocked(cluster, 'reads-shop-token-token')
  const made = program('job', {})
  cluster.apply('/pods', {
    ...made,
    spec: { ...made.spec, volumes: [{ name: 'script', configMap: { name: 'script' } }] },
  })
  await ready(cluster, 'reads-shop-token-token')
  expect(cluster.get('/secrets', 'shop-tok')).toBeUndefined()
})

test('a running program makes the Secret it speaks of; names are built on others only by one that ends', async () => {
  using cluster = liveCluster()
  allow(cluster, ['*'])
  cluster.apply('/pods', readsKey('webhook-certificate', 'tls.crt'))
  cluster.apply('/pods', readsKey('webhook-certificate-old', 'tls.crt'))
  cluster.apply('/pods', program('manager', { args: ['--secret-name=webhook-certificate'] }, 'Always'))
  await ready(cluster, 'reads-webhook-certificate-tls.crt')
  const certificate = cluster.get('/secrets', 'webhook-certificate')?.data?.['tls.crt'] ?? ''
  expect(Buffer.from(certificate, 'base64').toString()).toMatch(/^-----BEGIN CERTIFICATE/)
  expect(cluster.get('/secrets', 'webhook-certificate-old')).toBeUndefined()
  cluster.apply('/pods', program('signer', { env: [{ name: 'SET', value: 'webhook-certificate' }] }))
  await ready(cluster, 'reads-webhook-certificate-old-tls.crt')
})

test('without the right to create Secrets nothing appears', async () => {
  using cluster = liveCluster()
  allow(cluster, ['get', 'update'], ['password'])
  cluster.apply('/pods', program('init', { args: ['--secret-name=password'] }))
  await succeeded(cluster, 'init')
  cluster.apply('/pods', readsKey('password', 'auth'))
  await blocked(cluster, 'reads-password-auth')
  cluster.apply('/pods', program('again', {}))
  await succeeded(cluster, 'again')
  expect(cluster.get('/secrets', 'password')).toBeUndefined()
})

test('a program that fails makes nothing until it succeeds', async () => {
  using cluster = liveCluster()
  allow(cluster, ['create'])
  cluster.apply('/pods', readsKey('password', 'auth'))
  await blocked(cluster, 'reads-password-auth')
  const failing = program('fails', { args: ['password'] })
  const annotations = { 'sandbox.quayside.io/fault': 'failing-job' }
  cluster.apply('/pods', { ...failing, metadata: { ...failing.metadata, annotations } })
  await cluster.until('failed', () => cluster.get('/pods', 'fails')?.status?.phase === 'Failed')
  expect(cluster.get('/secrets', 'password')).toBeUndefined()
  cluster.apply('/pods', program('works', { args: ['password'] }))
  await ready(cluster, 'reads-password-auth')
  expect(cluster.get('/secrets', 'password')?.metadata.annotations).toEqual({ 'sandbox.quayside.io/made-by': 'works' })
})

test('a Secret that somebody else made is left as it is', async () => {
  using cluster = liveCluster()
  allow(cluster, ['*'])
  const metadata = { name: 'mine' }
  cluster.apply('/secrets', { apiVersion: 'v1', kind: 'Secret', metadata, data: { a: 'YQ==' } })
  cluster.apply('/pods', program('init', { args: ['mine'] }))
  await succeeded(cluster, 'init')
  cluster.apply('/pods', readsKey('mine', 'b'))
  await cluster.until('refused', () =>
    cluster.events('reads-mine').some((line) => line.includes("couldn't find key b")),
  )
  expect(cluster.get('/secrets', 'mine')?.data).toEqual({ a: 'YQ==' })
})
