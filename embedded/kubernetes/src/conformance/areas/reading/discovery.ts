import assert from 'node:assert/strict'
import { type Body, expectCode, holds, refused } from '../../answers.ts'
import { area } from '../../check.ts'

const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

const named = (list: Body[], name: string, key = 'name') => list.find((one) => one[key] === name)

const GROUPS = [
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]

export const discovery = area('discovery', (check) => {
  check('the version is that of Kubernetes', async ({ get }) => {
    const { body } = await get('/version')
    assert.equal(body.major, '1')
    assert.match(body.gitVersion, /^v1\.\d+\.\d+/)
    assert.match(body.platform, /^\w+\/\w+$/)
  })
  check('the core API names its versions', async ({ get }) => {
    const { body } = await get('/api')
    holds(body, { kind: 'APIVersions', versions: ['v1'] })
    assert.ok(body.serverAddressByClientCIDRs[0].serverAddress)
  })
  check('all groups that charts use are listed with a preferred version', async ({ get }) => {
    const { body } = await get('/apis')
    assert.equal(body.kind, 'APIGroupList')
    for (const name of GROUPS) assert.ok(named(body.groups, name)?.preferredVersion.groupVersion, name)
  })
  check('a group answers for itself', async ({ get }) => {
    const { body } = await get('/apis/apps')
    holds(body, { kind: 'APIGroup', apiVersion: 'v1', name: 'apps' })
    assert.deepEqual(body.preferredVersion, { groupVersion: 'apps/v1', version: 'v1' })
  })
  check('autoscaling prefers v2 and still serves v1', async ({ get }) => {
    const { body } = await get('/apis/autoscaling')
    assert.equal(body.preferredVersion.version, 'v2')
    assert.deepEqual(
      body.versions.map(({ version }: Body) => version),
      ['v2', 'v1'],
    )
  })
  check('a version lists its resources with verbs, short names and categories', async ({ get }) => {
    const { body } = await get('/api/v1')
    holds(body, { kind: 'APIResourceList', groupVersion: 'v1' })
    const pods = named(body.resources, 'pods')
    holds(pods, { singularName: 'pod', namespaced: true, kind: 'Pod', shortNames: ['po'], categories: ['all'] })
    assert.deepEqual(pods.verbs, ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'])
    assert.equal(named(body.resources, 'namespaces').namespaced, false)
  })
  check('subresources name the kind that they take', async ({ get }) => {
    const { resources } = (await get('/api/v1')).body
    holds(named(resources, 'pods/eviction'), { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] })
    holds(named(resources, 'pods/log'), { kind: 'Pod', verbs: ['get'] })
    holds(named(resources, 'serviceaccounts/token'), { group: 'authentication.k8s.io', kind: 'TokenRequest' })
    holds(named(resources, 'replicationcontrollers/scale'), { group: 'autoscaling', version: 'v1', kind: 'Scale' })
  })
  check('namespaces have no collection to delete', async ({ get }) => {
    const { resources } = (await get('/api/v1')).body
    assert.deepEqual(named(resources, 'namespaces').verbs, [
      'create',
      'delete',
      'get',
      'list',
      'patch',
      'update',
      'watch',
    ])
  })
  check('reviews can only be created', async ({ get }) => {
    const { resources } = (await get('/apis/authorization.k8s.io/v1')).body
    assert.deepEqual(named(resources, 'selfsubjectaccessreviews').verbs, ['create'])
    assert.deepEqual(named(resources, 'localsubjectaccessreviews').namespaced, true)
  })
  check('one document holds all groups when it is asked for', async ({ get }) => {
    const { headers, body } = await get('/apis', { accept: `${V2},application/json` })
    assert.equal(headers['content-type'], V2)
    holds(body, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' })
    const apps = body.items.find(({ metadata }: Body) => metadata.name === 'apps')
    const deployments = named(apps.versions[0].resources, 'deployments', 'resource')
    holds(deployments, { scope: 'Namespaced', singularResource: 'deployment', shortNames: ['deploy'] })
    holds(deployments.responseKind, { kind: 'Deployment' })
    holds(named(deployments.subresources, 'scale', 'subresource'), {
      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    })
  })
  check('the one document of the core group is of the same form', async ({ get }) => {
    const { body } = await get('/api', { accept: `${V2},application/json` })
    assert.equal(body.kind, 'APIGroupDiscoveryList')
    assert.ok(named(body.items[0].versions[0].resources, 'configmaps', 'resource'))
  })
  check('the one document is sent again only when it has changed', async ({ get }) => {
    const accept = `${V2},application/json`
    const { headers } = await get('/api', { accept })
    assert.ok(headers.etag, 'no ETag')
    const again = await get('/api', { accept, headers: { 'if-none-match': String(headers.etag) } })
    assert.equal(again.code, 304)
  })
  check('a path that nobody serves is a plain 404', async ({ get }) => {
    for (const path of ['/nowhere', '/apis/nowhere.example.com/v1/things']) {
      const { code, body } = await get(path)
      assert.deepEqual([code, body], [404, '404 page not found\n'])
    }
  })
  check('an unknown version of a known group is a Status', async ({ get }) => {
    const message = 'the server could not find the requested resource'
    refused(await get('/apis/apps/v7/deployments'), 404, 'NotFound', message)
  })
  check('an unknown resource of a known version is a Status', async ({ get, namespace }) => {
    const message = 'the server could not find the requested resource'
    refused(await get(`/apis/apps/v1/namespaces/${namespace}/widgets`), 404, 'NotFound', message)
  })
  check('a method that a resource does not know is 405', async ({ call, path }) => {
    const answer = await call('POST', path('v1/configmaps/any'), { body: {} })
    refused(answer, 405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource')
  })
  check('health is told in one word', async ({ get }) => {
    for (const path of ['/healthz', '/livez', '/readyz']) assert.equal((await get(path)).body, 'ok')
  })
  check('health is told in many words when asked', async ({ get }) => {
    const { body } = await get('/readyz?verbose')
    assert.match(body, /^\[\+\]ping ok$/m)
    assert.match(body, /^readyz check passed$/m)
  })
  check('the root lists the paths there are', async ({ get }) => {
    const { paths } = expectCode(await get('/'), 200)
    for (const path of ['/api', '/api/v1', '/apis', '/apis/apps/v1', '/healthz', '/openapi/v3', '/version'])
      assert.ok(paths.includes(path), path)
  })
  check('the issuer of service account tokens publishes its keys', async ({ get }) => {
    const { body } = await get('/.well-known/openid-configuration')
    assert.ok(body.issuer)
    holds(body, { response_types_supported: ['id_token'], subject_types_supported: ['public'] })
    const keys = await get('/openid/v1/jwks', { accept: 'application/jwk-set+json' })
    assert.ok(keys.body.keys.length > 0)
  })
})
