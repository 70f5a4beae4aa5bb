import { expect, test } from 'vitest'
import { deployment, testCluster } from '../cluster.test-support.ts'

const CORE = '/api/v1/namespaces/default'
const RBAC = 'rbac.authorization.k8s.io'
const INGRESS_CLASSES = '/apis/networking.k8s.io/v1/ingressclasses'

test('names that controllers of others take are free, and ingresses have a default class all the same', async () => {
  await using cluster = await testCluster()
  const { body } = await cluster.call('GET', INGRESS_CLASSES)
  expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['sandbox'])
  const nginx = { metadata: { name: 'nginx' }, spec: { controller: 'k8s.io/ingress-nginx' } }
  expect((await cluster.call('POST', INGRESS_CLASSES, { body: nginx })).code).toBe(201)
  const ingress = {
    metadata: { name: 'web' },
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  }
  const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses'
  expect((await cluster.call('POST', path, { body: ingress })).body.spec.ingressClassName).toBe('sandbox')
})

test('whoever asks for OpenAPI v2 in protobuf gets it under a content type that can be read', async () => {
  await using cluster = await testCluster()
  const binary = await cluster.call('GET', '/openapi/v2', {
    accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  })
  expect(binary.code).toBe(200)
  expect(binary.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf')
  expect((await cluster.call('GET', '/openapi/v2', { accept: 'image/png' })).code).toBe(406)
})

/** A job that may create Secrets through a binding that leaves its account's namespace to be understood. */
async function runTokenJob(cluster: Awaited<ReturnType<typeof testCluster>>) {
  const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['create'] }]
  const metadata = { name: 'token-job' }
  const inside = `/apis/${RBAC}/v1/namespaces/default`
  const binding = {
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'token-job' },
    subjects: [{ kind: 'ServiceAccount', name: 'token-job' }],
  }
  await cluster.call('POST', `${CORE}/serviceaccounts`, { body: { metadata } })
  await cluster.call('POST', `${inside}/roles`, { body: { metadata, rules } })
  expect((await cluster.call('POST', `${inside}/rolebindings`, { body: binding })).code).toBe(201)
  const containers = [{ name: 'make', image: 'tool:1', args: ['make', 'web-token'] }]
  const template = { spec: { restartPolicy: 'Never', serviceAccountName: 'token-job', containers } }
  await cluster.call('POST', '/apis/batch/v1/namespaces/default/jobs', { body: { metadata, spec: { template } } })
}

test('a deployment waits for its Secret until the job that makes it has run', async () => {
  await using cluster = await testCluster({ workloads: true, speed: 50 })
  const env = [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'web-token', key: 'token' } } }]
  const containers = [{ name: 'main', image: 'nginx:1.27', env }]
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers } }
  const deployments = '/apis/apps/v1/namespaces/default/deployments'
  await cluster.call('POST', deployments, { body: deployment('web', { template }) })
  const isWaiting = ({ status }: { status?: { containerStatuses?: { state: { waiting?: { reason: string } } }[] } }) =>
    status?.containerStatuses?.[0]?.state.waiting?.reason === 'CreateContainerConfigError'
  await cluster.watch(`${CORE}/pods?watch=true`, (lines) => lines.some(({ object }) => isWaiting(object)))
  expect((await cluster.call('GET', `${CORE}/secrets/web-token`)).code).toBe(404)
  await runTokenJob(cluster)
  await cluster.watch(`${deployments}?watch=true`, (lines) => lines.at(-1)?.object.status?.availableReplicas === 1)
  expect(Object.keys((await cluster.call('GET', `${CORE}/secrets/web-token`)).body.data)).toEqual(['token'])
})
