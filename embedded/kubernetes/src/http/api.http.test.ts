import { afterAll, beforeAll, expect, test } from 'vitest'
import { configMap, deployment, type TestCluster, testCluster } from '../cluster.test-support.ts'

let api: TestCluster
beforeAll(async () => {
  api = await testCluster()
})
afterAll(() => api[Symbol.asyncDispose]())

const MAPS = '/api/v1/namespaces/default/configmaps'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const APPLY = 'application/apply-patch+yaml'

test('version, health and discovery, in the old form and in one document', async () => {
  expect((await api.call('GET', '/version', { token: null })).body.gitVersion).toMatch(/^v1\.35\./)
  expect((await api.call('GET', '/readyz', { token: null })).body).toBe('ok')
  const groups = (await api.call('GET', '/apis')).body.groups.map(({ name }: { name: string }) => name)
  expect(groups).toEqual(expect.arrayContaining(['apps', 'batch', 'autoscaling', 'networking.k8s.io', 'policy']))
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'
  const whole = await api.call('GET', '/apis', { accept })
  expect(whole.headers['content-type']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')
  expect(whole.body.kind).toBe('APIGroupDiscoveryList')
  const core = (await api.call('GET', '/api/v1')).body.resources
  expect(core).toContainEqual(expect.objectContaining({ name: 'pods/log', kind: 'Pod', verbs: ['get'] }))
})

test('nobody gets in without a token, unknown paths are 404, unknown methods 405', async () => {
  const refused = await api.call('GET', MAPS, { token: null })
  expect([refused.code, refused.body.message]).toEqual([401, 'Unauthorized'])
  expect((await api.call('GET', MAPS, { token: 'guess' })).code).toBe(401)
  expect((await api.call('GET', '/apis/nowhere/v1/things')).code).toBe(404)
  expect((await api.call('GET', '/nowhere')).body).toBe('404 page not found\n')
  expect((await api.call('POST', `${MAPS}/any`, { body: {} })).code).toBe(405)
})

test('create, read, replace with the version it was read at, delete', async () => {
  const made = await api.call('POST', MAPS, { body: configMap('crud', { a: '1' }) })
  expect(made.code).toBe(201)
  expect((await api.call('POST', MAPS, { body: configMap('crud') })).body).toMatchObject({
    code: 409,
    reason: 'AlreadyExists',
    message: 'configmaps "crud" already exists',
  })
  const next = { ...made.body, data: { a: '2' } }
  expect((await api.call('PUT', `${MAPS}/crud`, { body: next })).body.data).toEqual({ a: '2' })
  const stale = await api.call('PUT', `${MAPS}/crud`, { body: { ...next, data: { a: '3' } } })
  expect(stale.body).toMatchObject({ code: 409, reason: 'Conflict' })
  expect(stale.body.message).toContain('the object has been modified; please apply your changes to the latest version')
  const gone = await api.call('DELETE', `${MAPS}/crud`, { body: { preconditions: { uid: 'other' } } })
  expect(gone.code).toBe(409)
  expect((await api.call('DELETE', `${MAPS}/crud`)).body.status).toBe('Success')
  expect((await api.call('GET', `${MAPS}/crud`)).body.message).toBe('configmaps "crud" not found')
})

test('names are generated, dry runs leave nothing, a missing namespace is said', async () => {
  const named = await api.call('POST', MAPS, { body: configMap('', {}, { generateName: 'job-' }) })
  expect(named.body.metadata.name).toMatch(/^job-[a-z0-9]{5}$/)
  const dry = await api.call('POST', `${MAPS}?dryRun=All`, { body: configMap('dry') })
  expect([dry.code, (await api.call('GET', `${MAPS}/dry`)).code]).toEqual([201, 404])
  const lost = await api.call('POST', '/api/v1/namespaces/nowhere/configmaps', { body: configMap('x') })
  expect(lost.body.message).toBe('namespaces "nowhere" not found')
})

test('unknown fields are refused, warned of or ignored, as asked', async () => {
  const body = deployment('typo', { replica: 3 })
  const strict = await api.call('POST', `${DEPLOYMENTS}?fieldValidation=Strict&dryRun=All`, { body })
  expect(strict.body.message).toBe(
    'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica"',
  )
  const warned = await api.call('POST', `${DEPLOYMENTS}?fieldValidation=Warn&dryRun=All`, { body })
  expect([warned.code, warned.headers.warning]).toEqual([201, String.raw`299 - "unknown field \"spec.replica\""`])
  const ignored = await api.call('POST', `${DEPLOYMENTS}?fieldValidation=Ignore&dryRun=All`, { body })
  expect([ignored.code, ignored.headers.warning]).toEqual([201, undefined])
})

test('defaults are filled in, and mistakes are named by their field', async () => {
  const { body } = await api.call('POST', `${DEPLOYMENTS}?dryRun=All`, { body: deployment('defaults') })
  expect(body.spec).toMatchObject({
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    template: { spec: { restartPolicy: 'Always', containers: [{ imagePullPolicy: 'IfNotPresent' }] } },
  })
  const wrong = deployment('Bad_Name', { selector: { matchLabels: { app: 'other' } }, replicas: -1 })
  const refused = (await api.call('POST', DEPLOYMENTS, { body: wrong })).body
  expect(refused).toMatchObject({ code: 422, reason: 'Invalid' })
  expect(refused.details.causes.map(({ field }: { field: string }) => field)).toEqual([
    'metadata.name',
    'spec.replicas',
    'spec.template.metadata.labels',
  ])
})

test('a selector may not change', async () => {
  const { body } = await api.call('POST', DEPLOYMENTS, { body: deployment('fixed') })
  const labels = { app: 'fixed', more: 'x' }
  body.spec.selector.matchLabels = labels
  body.spec.template.metadata.labels = labels
  const refused = await api.call('PUT', `${DEPLOYMENTS}/fixed`, { body })
  expect(refused.body.message).toContain(
    'spec.selector: Invalid value: {"matchLabels":{"app":"fixed","more":"x"}}: field is immutable',
  )
})

test('patches of all kinds', async () => {
  await api.call('POST', MAPS, { body: configMap('patched', { a: '1', b: '2' }) })
  const patch = (type: string, body: unknown, query = '') =>
    api.call('PATCH', `${MAPS}/patched${query}`, { type, body })
  const merged = await patch('application/merge-patch+json', { data: { a: null, c: '3' } })
  expect(merged.body.data).toEqual({ b: '2', c: '3' })
  const operations = [
    { op: 'test', path: '/data/b', value: '2' },
    { op: 'remove', path: '/data/c' },
  ]
  expect((await patch('application/json-patch+json', operations)).body.data).toEqual({ b: '2' })
  expect((await patch('application/json-patch+json', operations)).code).toBe(422)
  const strategic = await patch('application/strategic-merge-patch+json', { metadata: { finalizers: ['x/y'] } })
  expect(strategic.body.metadata.finalizers).toEqual(['x/y'])
  const applied = await patch(
    APPLY,
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: patched\ndata:\n  d: "4"\n',
    '?fieldManager=helm',
  )
  expect(applied.body.data).toEqual({ b: '2', d: '4' })
  expect((await patch(APPLY, { apiVersion: 'v1', kind: 'ConfigMap' })).body.message).toContain(
    'is required for apply patch',
  )
  expect((await patch('text/plain', 'x')).code).toBe(415)
  const bare = await patch('application/merge-patch+json', { metadata: null, data: { e: '5' } })
  expect(bare.body.data).toEqual({ b: '2', d: '4', e: '5' })
  expect(bare.body.metadata.name).toBe('patched')
})

test('apply creates, owns, conflicts and forces', async () => {
  const apply = (manager: string, body: unknown, force = '') =>
    api.call('PATCH', `${DEPLOYMENTS}/applied?fieldManager=${manager}${force}`, { type: APPLY, body })
  const first = await apply('helm', deployment('applied', { replicas: 2 }))
  expect([first.code, first.body.metadata.managedFields[0].manager]).toEqual([201, 'helm'])
  const other = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'applied' }, spec: { replicas: 5 } }
  const clash = await apply('ops', other)
  expect(clash.body).toMatchObject({
    code: 409,
    details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec.replicas' }] },
  })
  expect((await apply('ops', other, '&force=true')).body.spec.replicas).toBe(5)
  const typo = await apply('helm', deployment('applied', { nope: 1 }))
  expect(typo.body.message).toBe(
    'failed to create typed patch object (/applied; apps/v1, Kind=Deployment): .spec.nope: field not declared in schema',
  )
})

test('lists come in pages, by labels and by fields', async () => {
  for (const name of ['p1', 'p2', 'p3']) {
    await api.call('POST', MAPS, { body: configMap(name, {}, { labels: { page: name } }) })
  }
  const query = 'labelSelector=page%20in%20(p1,p2,p3)'
  const first = (await api.call('GET', `${MAPS}?${query}&limit=2`)).body
  expect([first.items.length, first.metadata.remainingItemCount]).toEqual([2, undefined])
  const rest = (await api.call('GET', `${MAPS}?${query}&limit=2&continue=${first.metadata.continue}`)).body
  expect(rest.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['p3'])
  expect((await api.call('GET', `${MAPS}?fieldSelector=metadata.name=p2`)).body.items).toHaveLength(1)
  expect((await api.call('GET', `${MAPS}?fieldSelector=data.x=1`)).code).toBe(400)
  expect((await api.call('GET', `${MAPS}?continue=nonsense`)).code).toBe(400)
  await api.call('DELETE', `${MAPS}?labelSelector=page`)
  expect((await api.call('GET', `${MAPS}?labelSelector=page`)).body.items).toEqual([])
})

test('objects come as tables and as metadata alone', async () => {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
  const table = (await api.call('GET', '/api/v1/nodes', { accept })).body
  expect(table.columnDefinitions.map(({ name }: { name: string }) => name).slice(0, 5)).toEqual([
    'Name',
    'Status',
    'Roles',
    'Age',
    'Version',
  ])
  expect(table.rows).toHaveLength(3)
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'web' },
    reason: 'Started',
  }
  await api.call('POST', '/api/v1/namespaces/default/events', { body: event })
  for (const root of ['/api/v1', '/apis/events.k8s.io/v1']) {
    const { rows } = (await api.call('GET', `${root}/namespaces/default/events`, { accept })).body
    expect(rows[0].cells.slice(1, 4)).toEqual(['Normal', 'Started', 'pod/web'])
  }
  const bare = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
  expect((await api.call('GET', '/api/v1/nodes', { accept: bare })).body).toMatchObject({
    kind: 'PartialObjectMetadataList',
    items: [{ kind: 'PartialObjectMetadata' }, {}, {}],
  })
  expect((await api.call('GET', '/api/v1/nodes', { accept: 'application/vnd.kubernetes.protobuf' })).code).toBe(406)
})

test('services get an address and a port that nobody else has', async () => {
  const service = (name: string, spec: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port: 80 }], ...spec },
  })
  const path = '/api/v1/namespaces/default/services'
  const one = (await api.call('POST', path, { body: service('one', { type: 'NodePort' }) })).body.spec
  const two = (await api.call('POST', path, { body: service('two', { type: 'NodePort' }) })).body.spec
  expect(one.clusterIP).toMatch(/^10\.96\./)
  expect(one.clusterIP).not.toBe(two.clusterIP)
  expect(one.ports[0]).toMatchObject({ protocol: 'TCP', targetPort: 80 })
  const taken = await api.call('POST', path, { body: service('three', { type: 'NodePort', ports: one.ports }) })
  expect(taken.body.message).toContain('provided port is already allocated')
  expect((await api.call('POST', path, { body: service('four', { clusterIP: two.clusterIP }) })).code).toBe(422)
})

test('scale goes through its own door', async () => {
  await api.call('POST', DEPLOYMENTS, { body: deployment('scaled') })
  const patch = { spec: { replicas: 4 } }
  const type = 'application/merge-patch+json'
  expect((await api.call('PATCH', `${DEPLOYMENTS}/scaled/scale`, { type, body: patch })).body.spec.replicas).toBe(4)
  expect((await api.call('GET', `${DEPLOYMENTS}/scaled`)).body.spec.replicas).toBe(4)
  const scale = (await api.call('GET', `${DEPLOYMENTS}/scaled/scale`)).body
  expect(scale).toMatchObject({ kind: 'Scale', status: { selector: 'app=scaled' } })
})

test('a status write changes the status alone, an ordinary write all but the status', async () => {
  await api.call('POST', DEPLOYMENTS, { body: deployment('told') })
  const type = 'application/merge-patch+json'
  const body = { spec: { replicas: 9 }, status: { replicas: 7 } }
  const told = (await api.call('PATCH', `${DEPLOYMENTS}/told/status`, { type, body })).body
  expect([told.spec.replicas, told.status.replicas]).toEqual([1, 7])
  const meant = (await api.call('PATCH', `${DEPLOYMENTS}/told`, { type, body: { ...body, status: { replicas: 8 } } }))
    .body
  expect([meant.spec.replicas, meant.status.replicas, meant.metadata.generation]).toEqual([9, 7, 2])
})

test('what containers would do is refused in plain words', async () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'x' }] },
  }
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  const early = await api.call('POST', '/api/v1/namespaces/default/pods', { body: pod })
  expect(early.body.message).toContain('serviceaccount "default" not found')
  await api.call('POST', '/api/v1/namespaces/default/serviceaccounts', { body: account })
  const made = await api.call('POST', '/api/v1/namespaces/default/pods', { body: pod })
  expect(made.body).toMatchObject({
    status: { phase: 'Pending', qosClass: 'BestEffort' },
    spec: { serviceAccountName: 'default', priority: 0 },
  })
  const debug = { spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] } }
  const type = 'application/strategic-merge-patch+json'
  const patched = await api.call('PATCH', '/api/v1/namespaces/default/pods/p/ephemeralcontainers', {
    type,
    body: debug,
  })
  expect(patched.code).toBe(200)
  const exec = await api.call('POST', '/api/v1/namespaces/default/pods/p/exec?command=ls')
  expect([exec.code, exec.body.message]).toEqual([501, expect.stringContaining('its workloads are simulated')])
})

test('bodies that are too large, too deep or no JSON are refused, and the server goes on', async () => {
  const large = configMap('large', { a: 'x'.repeat(3 * 1024 * 1024) })
  expect((await api.call('POST', MAPS, { body: large })).code).toBe(413)
  expect((await api.call('POST', MAPS, { body: configMap('big', { a: 'x'.repeat(1024 * 1024 + 1) }) })).code).toBe(422)
  expect((await api.call('POST', MAPS, { body: '['.repeat(100_000) })).code).toBe(400)
  expect((await api.call('POST', MAPS, { body: '[\n'.repeat(50_000), type: 'application/yaml' })).code).toBe(400)
  expect((await api.call('POST', MAPS, { body: '{"a"' })).code).toBe(400)
  expect((await api.call('GET', '/api/v1/namespaces/%zz/pods')).code).toBe(400)
  expect((await api.call('GET', MAPS)).code).toBe(200)
})

test('faults are made for administrators, counted, and cleared', async () => {
  const fault = { kind: 'server-error', method: 'GET', resource: 'configmaps', name: 'faulty', count: 1 }
  expect((await api.call('POST', '/quayside/faults', { body: fault })).code).toBe(201)
  expect((await api.call('GET', `${MAPS}/faulty`)).code).toBe(500)
  expect((await api.call('GET', `${MAPS}/faulty`)).code).toBe(404)
  await api.call('POST', '/quayside/faults', {
    body: { kind: 'lost-reply', method: 'POST', resource: 'configmaps', count: 1 },
  })
  await expect(api.call('POST', MAPS, { body: configMap('lost') })).rejects.toThrow(/hang up|reset/)
  expect((await api.call('GET', `${MAPS}/lost`)).code).toBe(200)
  await api.call('POST', '/quayside/faults', {
    body: { kind: 'too-many-requests', resource: 'configmaps', milliseconds: 2000 },
  })
  const busy = await api.call('GET', MAPS)
  expect([busy.code, busy.headers['retry-after']]).toEqual([429, '2'])
  await api.call('DELETE', '/quayside/faults')
  expect((await api.call('GET', MAPS)).code).toBe(200)
  expect((await api.call('POST', '/quayside/faults', { body: { kind: 'meteor' } })).code).toBe(400)
})
