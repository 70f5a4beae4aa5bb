import { once } from 'node:events'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configMap, type TestCluster, testCluster } from '../cluster.test-support.ts'

let api: TestCluster
let token = ''

const apiVersion = 'rbac.authorization.k8s.io/v1'
const group = 'things.example.com'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const things = `/apis/${group}/v1`
const rbac = `/apis/${apiVersion}/namespaces/default`
const configMaps = '/api/v1/namespaces/default/configmaps'
const binding = `${rbac}/rolebindings/bob-has-all`
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** A definition as the text that is sent, with the schema as text: some fields cannot be written in an object. */
function definition(plural: string, scope: 'Cluster' | 'Namespaced', schema: string, more: object = {}): string {
  const names = { plural, kind: `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}` }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: 'SCHEMA' }, ...more }
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names, versions: [version] },
  }).replace('"SCHEMA"', schema)
}

const thing = (kind: string, spec: object) => ({ apiVersion: `${group}/v1`, kind, metadata: { name: 'one' }, spec })

beforeAll(async () => {
  api = await testCluster()
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bob' } }
  await api.call('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account })
  const path = '/api/v1/namespaces/default/serviceaccounts/bob/token'
  token = (await api.call('POST', path, { body: { spec: { expirationSeconds: 900 } } })).body.status.token
  const metadata = { name: 'bob-has-all' }
  const apiGroups = ['', group, 'metrics.k8s.io', 'authorization.k8s.io']
  const rules = [{ verbs: ['*'], apiGroups, resources: ['*'] }]
  await api.call('POST', `${rbac}/roles`, { body: { apiVersion, kind: 'Role', metadata, rules } })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name }
  const subjects = [{ kind: 'ServiceAccount', name: 'bob', namespace: 'default' }]
  const body = { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects }
  await api.call('POST', `${rbac}/rolebindings`, { body })
})
afterAll(() => api[Symbol.asyncDispose]())

test('rights in a namespace reach no part of what belongs to the whole cluster', async () => {
  const parts = { subresources: { status: {} } }
  await api.call('POST', definitions, { body: definition('cranes', 'Cluster', JSON.stringify(anything), parts) })
  expect((await api.call('POST', `${things}/cranes`, { body: thing('Crane', { key: 'k' }) })).code).toBe(201)
  const ofNamespace = `${things}/namespaces/default/cranes/one`
  expect((await api.call('GET', `${things}/cranes/one/status`, { token })).code).toBe(403)
  for (const path of [ofNamespace, `${ofNamespace}/status`])
    expect((await api.call('GET', path, { token })).code).toBe(404)
  const body = { metadata: { labels: { mine: 'yes' } } }
  const change = { token, type: 'application/merge-patch+json', body }
  expect((await api.call('PATCH', `${ofNamespace}/status`, change)).code).toBe(404)
  expect((await api.call('GET', `${things}/cranes/one`)).body.metadata.labels).toBeUndefined()
  const metrics = '/apis/metrics.k8s.io/v1beta1/namespaces/default/nodes'
  expect((await api.call('GET', metrics, { token })).code).toBe(404)
  const review = { spec: { user: 'jane', resourceAttributes: { verb: 'get', resource: 'secrets' } } }
  const reviews = '/apis/authorization.k8s.io/v1/namespaces/default/subjectaccessreviews'
  expect((await api.call('POST', reviews, { token, body: review })).code).toBe(404)
})

test('a definition fills in the fields of its own objects alone, whatever these are called', async () => {
  const everything = { type: 'array', items: { type: 'string' }, default: ['*'] }
  const shared = JSON.stringify({ type: 'object', properties: { apiGroups: everything, resources: everything } })
  const schema = `{"type":"object","properties":{"spec":{"type":"object","properties":{"NAME":${shared}}}}}`
  const named = (name: string) => definition('levers', 'Namespaced', schema.replace('NAME', name))
  for (const name of ['__proto__', '\\u005f_proto__'])
    expect((await api.call('POST', definitions, { body: named(name) })).body.message).toContain('__proto__')
  expect((await api.call('POST', definitions, { body: named('constructor') })).code).toBe(201)
  const made = await api.call('POST', `${things}/namespaces/default/levers`, { body: thing('Lever', {}), token })
  expect(made.code).toBe(201)
  expect(Object).not.toHaveProperty('apiGroups')
  expect({}).not.toHaveProperty('apiGroups')
  expect((await api.call('GET', '/api/v1/namespaces/kube-system/secrets/any', { token })).code).toBe(403)
})

test('a scale that a definition has write elsewhere changes nothing that all objects share', async () => {
  const scale = { specReplicasPath: '.spec.__proto__.limit', statusReplicasPath: '.status.a' }
  const body = definition('pulleys', 'Namespaced', JSON.stringify(anything), { subresources: { scale } })
  await api.call('POST', definitions, { body })
  const pulleys = `${things}/namespaces/default/pulleys`
  await api.call('POST', pulleys, { body: thing('Pulley', {}), token })
  const patch = { token, type: 'application/merge-patch+json', body: { spec: { replicas: 7 } } }
  await api.call('PATCH', `${pulleys}/one/scale`, patch)
  expect({}).not.toHaveProperty('limit')
})

test('a definition that could not be served is refused, and one that is kept from before stops nothing', async () => {
  const schema = JSON.stringify(anything)
  for (const [field, more] of [
    ['name', { name: '' }],
    ['selectableFields[0].jsonPath', { selectableFields: [{}] }],
    ['additionalPrinterColumns[0].jsonPath', { additionalPrinterColumns: [{ name: 'A', type: 'string' }] }],
    ['subresources.scale.specReplicasPath', { subresources: { scale: { statusReplicasPath: '.status.a' } } }],
  ] as const) {
    const refused = await api.call('POST', definitions, { body: definition('wedges', 'Namespaced', schema, more) })
    expect(refused).toMatchObject({ code: 422, body: { message: expect.stringContaining(`versions[0].${field}`) } })
  }
  expect((await api.call('POST', definitions, { body: definition('wedges', 'Namespaced', schema) })).code).toBe(201)
  api.cluster.store.update('apiextensions.k8s.io/customresourcedefinitions', undefined, `wedges.${group}`, (kept) => {
    const spec = kept.spec as { versions: object[] }
    return { ...kept, spec: { ...spec, versions: [{ ...spec.versions[0], selectableFields: [{}] }] } }
  })
  await api.restart()
  expect((await api.call('GET', `${things}/namespaces/default/levers`)).code).toBe(200)
})

test('a pattern that takes for ever is given up, and its kind is refused at once for a while', async () => {
  const endless = { type: 'object', properties: { text: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } } }
  const schema = JSON.stringify({ type: 'object', properties: { spec: endless } })
  await api.call('POST', definitions, { body: definition('springs', 'Namespaced', schema) })
  const body = thing('Spring', { text: 'a'.repeat(60) })
  const refusal = { code: 422, body: { message: expect.stringContaining('takes too long to check') } }
  const springs = `${things}/namespaces/default/springs`
  expect(await api.call('POST', springs, { body, token })).toMatchObject(refusal)
  const begun = performance.now()
  for (let at = 0; at < 5; at += 1) expect(await api.call('POST', springs, { body, token })).toMatchObject(refusal)
  expect(performance.now() - begun).toBeLessThan(1000)
})

test('a reader who never reads ends nothing but their own connection', async () => {
  for (let at = 0; at < 30; at += 1)
    await api.call('POST', configMaps, { body: configMap(`big-${at}`, { text: 'x'.repeat(900_000) }) })
  const { port, hostname } = new URL(api.cluster.url)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.on('error', () => undefined).pause()
  socket.write(
    `GET ${configMaps}?watch=true&timeoutSeconds=1 HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`,
  )
  const until = Date.now() + 2500
  for (let at = 0; Date.now() < until; at += 1)
    expect((await api.call('POST', configMaps, { body: configMap(`small-${at}`) })).code).toBe(201)
  socket.destroy()
})

test('a watch that is open ends when its reader loses the right to it', async () => {
  const { port, hostname } = new URL(api.cluster.url)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  let read = ''
  socket.on('data', (chunk) => {
    read += chunk
  })
  const closed = once(socket, 'close')
  socket.write(
    `GET /api/v1/namespaces/default/secrets?watch=true&timeoutSeconds=864000 HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`,
  )
  const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } })
  await api.call('POST', '/api/v1/namespaces/default/secrets', { body: secret('before') })
  await expect.poll(() => read).toContain('"before"')
  await api.call('DELETE', binding)
  await closed
  await api.call('POST', '/api/v1/namespaces/default/secrets', { body: secret('afterwards') })
  expect(read).not.toContain('afterwards')
})
