import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCluster, testCluster } from '../cluster.test-support.ts'

let api: TestCluster
beforeAll(async () => {
  api = await testCluster()
})
afterAll(() => api[Symbol.asyncDispose]())

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const ROBOTS = '/apis/factory.example.com/v1/namespaces/default/robots'
const spec = {
  type: 'object',
  required: ['arms'],
  properties: { arms: { type: 'integer', minimum: 1 }, paint: { type: 'string', default: 'grey' } },
}
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  subresources: { status: {}, scale: { specReplicasPath: '.spec.arms', statusReplicasPath: '.status.arms' } },
  additionalPrinterColumns: [{ name: 'Arms', type: 'integer', jsonPath: '.spec.arms' }],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  },
})
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'robots.factory.example.com' },
  spec: {
    group: 'factory.example.com',
    scope: 'Namespaced',
    names: { plural: 'robots', kind: 'Robot', shortNames: ['rb'] },
    versions: [version('v1', true), version('v1beta1', false)],
  },
}
const robot = (name: string, body: object) => ({
  apiVersion: 'factory.example.com/v1',
  kind: 'Robot',
  metadata: { name },
  spec: body,
})

test('a definition is served at once: discovery, objects, defaults, checks, columns, versions, scale', async () => {
  const made = await api.call('POST', CRDS, { body: definition })
  expect(made.body.status.conditions.map(({ type }: { type: string }) => type)).toEqual([
    'NamesAccepted',
    'Established',
  ])
  expect((await api.call('GET', '/apis/factory.example.com')).body.preferredVersion.version).toBe('v1')
  const one = await api.call('POST', `${ROBOTS}?fieldValidation=Ignore`, {
    body: robot('one', { arms: 2, laser: true }),
  })
  expect(one.body.spec).toEqual({ arms: 2, paint: 'grey' })
  const none = await api.call('POST', ROBOTS, { body: robot('none', { arms: 0 }) })
  expect(none.body.message).toContain(
    'spec.arms: Invalid value: 0: spec.arms in body should be greater than or equal to 1',
  )
  expect((await api.call('GET', ROBOTS.replace('/v1/', '/v1beta1/'))).body.items[0].apiVersion).toBe(
    'factory.example.com/v1beta1',
  )
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  expect((await api.call('GET', `${ROBOTS}/one`, { accept })).body.rows[0].cells).toEqual(['one', 2])
  const type = 'application/merge-patch+json'
  await api.call('PATCH', `${ROBOTS}/one/scale`, { type, body: { spec: { replicas: 6 } } })
  expect((await api.call('GET', `${ROBOTS}/one`)).body.spec.arms).toBe(6)
  expect((await api.call('GET', '/openapi/v3/apis/factory.example.com/v1')).body.components.schemas).toHaveProperty([
    'com.example.factory.v1.Robot',
  ])
})

test('its objects are there after a restart, and go with it', async () => {
  await api.restart()
  expect((await api.call('GET', ROBOTS)).body.items).toHaveLength(1)
  await api.call('DELETE', `${CRDS}/robots.factory.example.com`)
  expect((await api.call('GET', `${CRDS}/robots.factory.example.com`)).code).toBe(404)
  expect((await api.call('GET', ROBOTS)).code).toBe(404)
  expect(api.cluster.store.list('factory.example.com/robots')).toEqual([])
})

test('a definition with a wrong name or no schema is refused', async () => {
  const wrong = { ...definition, metadata: { name: 'robots.other.example.com' } }
  expect((await api.call('POST', CRDS, { body: wrong })).body.message).toContain(
    'must be spec.names.plural+"."+spec.group',
  )
})
