import assert from 'node:assert/strict'
import { type Body, expectCode, holds, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, deployment, IMAGE } from '../../objects.ts'
import { APPLY, MERGE, type Scope } from '../../scope.ts'

const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } }
const WEB = 'apps/v1/deployments/web'

const appliedMap =
  ({ patch }: Scope) =>
  (manager: string, data: Record<string, string>, more = '') =>
    patch(`v1/configmaps/one?fieldManager=${manager}${more}`, APPLY, { ...MAP, data })

const appliedWeb =
  ({ patch }: Scope) =>
  (manager: string, spec: object, more = '') =>
    patch(`${WEB}?fieldManager=${manager}${more}`, APPLY, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec,
    })

const managers = ({ metadata }: Body) =>
  metadata.managedFields.map(({ manager, operation }: Body) => `${manager} ${operation}`).sort()
const fieldsOf = ({ metadata }: Body, manager: string) =>
  metadata.managedFields.find((entry: Body) => entry.manager === manager)?.fieldsV1

export const apply = area('server-side apply', (check) => {
  check('apply creates what is not there', async (t) => {
    const made = expectCode(await appliedMap(t)('helm', { a: '1' }), 201)
    const [entry] = made.metadata.managedFields
    holds(entry, { manager: 'helm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' })
    assert.deepEqual(entry.fieldsV1, { 'f:data': { 'f:a': {} } })
    assert.equal(expectCode(await appliedMap(t)('helm', { a: '2' }), 200).data.a, '2')
  })
  check('apply needs a manager', async ({ patch }) => {
    refused(
      await patch('v1/configmaps/one', APPLY, MAP),
      422,
      'Invalid',
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    )
  })
  check('an applied body names its object', async ({ patch }) => {
    refused(
      await patch('v1/configmaps/one?fieldManager=me', APPLY, { apiVersion: 'v1', kind: 'ConfigMap' }),
      400,
      'BadRequest',
      'the name of the object (one based on URL) was undeterminable: name must be provided',
    )
  })
  check('force belongs to apply alone', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    const answer = await t.patch('v1/configmaps/one?force=true', MERGE, {})
    refused(answer, 422, 'Invalid', /force: Forbidden: may not be specified for non-apply patch/)
  })
  check('a body of YAML is applied', async ({ patch }) => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  d: "4"\n'
    assert.deepEqual(expectCode(await patch('v1/configmaps/one?fieldManager=me', APPLY, body), 201).data, { d: '4' })
  })
  check('what another one set by apply is a conflict', async (t) => {
    expectCode(await appliedMap(t)('helm', { a: '1' }), 201)
    const answer = await appliedMap(t)('ops', { a: '2' })
    refused(answer, 409, 'Conflict', 'Apply failed with 1 conflict: conflict with "helm": .data.a')
    assert.deepEqual(answer.body.details.causes, [
      { reason: 'FieldManagerConflict', message: 'conflict with "helm"', field: '.data.a' },
    ])
  })
  check('what another one set by update is a conflict that names the version', async (t) => {
    expectCode(await t.post('v1/configmaps?fieldManager=editor', configMap('one', { a: '1' })), 201)
    const answer = await appliedMap(t)('ops', { a: '2' })
    refused(answer, 409, 'Conflict', /^Apply failed with 1 conflict: conflict with "editor" using v1.*: \.data\.a$/)
  })
  check('several conflicts are listed', async (t) => {
    expectCode(await appliedMap(t)('helm', { a: '1', b: '1' }), 201)
    const answer = await appliedMap(t)('ops', { a: '2', b: '2' })
    refused(answer, 409, 'Conflict', 'Apply failed with 2 conflicts: conflicts with "helm":\n- .data.a\n- .data.b')
  })
  check('force takes the field over', async (t) => {
    expectCode(await appliedMap(t)('helm', { a: '1' }), 201)
    const taken = expectCode(await appliedMap(t)('ops', { a: '2' }, '&force=true'), 200)
    assert.equal(taken.data.a, '2')
    assert.deepEqual(fieldsOf(taken, 'ops'), { 'f:data': { 'f:a': {} } })
    assert.deepEqual(managers(taken), ['ops Apply'])
  })
  check('two may own a field with the same value', async (t) => {
    expectCode(await appliedMap(t)('helm', { a: '1' }), 201)
    const shared = expectCode(await appliedMap(t)('ops', { a: '1' }), 200)
    assert.deepEqual(managers(shared), ['helm Apply', 'ops Apply'])
    const given = expectCode(await appliedMap(t)('helm', {}), 200)
    assert.deepEqual(given.data, { a: '1' })
  })
  check('what is no longer applied goes away', async (t) => {
    expectCode(await appliedMap(t)('helm', { a: '1', b: '2' }), 201)
    assert.deepEqual(expectCode(await appliedMap(t)('helm', { b: '2' }), 200).data, { b: '2' })
  })
  check('what others added stays', async (t) => {
    expectCode(await appliedMap(t)('helm', { a: '1' }), 201)
    expectCode(await t.patch('v1/configmaps/one?fieldManager=editor', MERGE, { data: { z: '9' } }), 200)
    const next = expectCode(await appliedMap(t)('helm', { b: '2' }), 200)
    assert.deepEqual(next.data, { b: '2', z: '9' })
    assert.deepEqual(managers(next), ['editor Update', 'helm Apply'])
  })
  check('an update takes fields from who applied them', async (t) => {
    expectCode(await appliedMap(t)('helm', { a: '1', b: '2' }), 201)
    const next = expectCode(await t.patch('v1/configmaps/one?fieldManager=editor', MERGE, { data: { a: '9' } }), 200)
    assert.deepEqual(fieldsOf(next, 'helm'), { 'f:data': { 'f:b': {} } })
    assert.deepEqual(fieldsOf(next, 'editor'), { 'f:data': { 'f:a': {} } })
  })
  check('to apply the same again changes no version', async (t) => {
    const first = expectCode(await appliedMap(t)('helm', { a: '1' }), 201)
    const again = expectCode(await appliedMap(t)('helm', { a: '1' }), 200)
    assert.equal(again.metadata.resourceVersion, first.metadata.resourceVersion)
  })
  check('entries of a list are owned by their key', async (t) => {
    const made = expectCode(await appliedWeb(t)('helm', deployment('web', { replicas: 0 }).spec), 201)
    const fields = fieldsOf(made, 'helm')['f:spec']['f:template']['f:spec']['f:containers']
    assert.deepEqual(fields, { 'k:{"name":"main"}': { '.': {}, 'f:image': {}, 'f:name': {} } })
    const containers = [{ name: 'side', image: IMAGE }]
    const next = expectCode(await appliedWeb(t)('ops', { template: { spec: { containers } } }), 200)
    assert.equal(next.spec.template.spec.containers.length, 2)
    const back = expectCode(await appliedWeb(t)('ops', { replicas: 0 }), 200)
    assert.equal(back.spec.template.spec.containers.length, 1)
  })
  check('entries of others keep their places', async (t) => {
    const applied = async (manager: string, ...names: string[]) => {
      const containers = names.map((name) => ({ name, image: IMAGE }))
      const { selector } = deployment('web').spec
      const template = { metadata: { labels: { app: 'web' } }, spec: { containers } }
      const answer = await appliedWeb(t)(manager, { replicas: 0, selector, template }, '&force=true')
      assert.ok(answer.code < 300, answer.body.message)
      return answer.body.spec.template.spec.containers.map(({ name }: Body) => name).join('')
    }
    assert.equal(await applied('one', 'a', 'b', 'c'), 'abc')
    assert.equal(await applied('two', 'x'), 'abcx')
    assert.equal(await applied('three', 'c', 'y', 'a'), 'bcxya')
    assert.equal(await applied('two', 'q', 'x'), 'bcqxya')
  })
  check('a scaler and an applier meet at the replicas', async (t) => {
    expectCode(await appliedWeb(t)('helm', deployment('web', { replicas: 0 }).spec), 201)
    expectCode(await t.patch(`${WEB}/scale?fieldManager=scaler`, MERGE, { spec: { replicas: 1 } }), 200)
    const { metadata } = await t.read(WEB)
    const entry = metadata.managedFields.find(({ manager }: Body) => manager === 'scaler')
    holds(entry, { operation: 'Update', subresource: 'scale', apiVersion: 'apps/v1' })
    assert.deepEqual(entry.fieldsV1, { 'f:spec': { 'f:replicas': {} } })
    const answer = await appliedWeb(t)('helm', deployment('web', { replicas: 0 }).spec)
    refused(
      answer,
      409,
      'Conflict',
      /conflict with "scaler" with subresource "scale" using apps\/v1.*: \.spec\.replicas/,
    )
  })
  check('who writes the status is kept apart', async (t) => {
    await t.make('apps/v1/deployments', deployment('web', { replicas: 0, paused: true }))
    const status = { observedGeneration: 1 }
    const told = await t.patch(`${WEB}/status?fieldManager=watcher`, MERGE, { status })
    const entry = expectCode(told, 200).metadata.managedFields.find(({ manager }: Body) => manager === 'watcher')
    if (entry) holds(entry, { subresource: 'status' })
    else assert.equal(told.body.status.observedGeneration, 1)
  })
  check('sets are merged value by value', async (t) => {
    const finalizers = (manager: string, ...list: string[]) =>
      t.patch(`v1/configmaps/one?fieldManager=${manager}`, APPLY, {
        ...MAP,
        metadata: { name: 'one', finalizers: list },
      })
    expectCode(await finalizers('a', 'example.com/a'), 201)
    const both = expectCode(await finalizers('b', 'example.com/b'), 200)
    assert.deepEqual(both.metadata.finalizers.toSorted(), ['example.com/a', 'example.com/b'])
    assert.deepEqual(fieldsOf(both, 'b')['f:metadata']['f:finalizers'], { 'v:"example.com/b"': {} })
    expectCode(await t.patch('v1/configmaps/one', MERGE, { metadata: { finalizers: null } }), 200)
  })
  check('a field that the kind does not have is refused', async (t) => {
    const answer = await appliedWeb(t)('helm', { ...deployment('web').spec, nope: 1 })
    assert.match(
      answer.body.message,
      /failed to create typed patch object \(\/web; apps\/v1, Kind=Deployment\): \.spec\.nope: field not declared in schema/,
    )
    assert.ok(answer.code >= 400)
  })
  check('an entry that is there twice is refused', async (t) => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ]
    const template = { spec: { containers: [{ name: 'main', env }] } }
    const answer = await appliedWeb(t)('helm', { ...deployment('web').spec, template })
    assert.match(answer.body.message, /duplicate entries for key \[name="A"\]/)
  })
  check('an applied object brings no managed fields', async ({ patch }) => {
    const metadata = { name: 'one', managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1' }] }
    const answer = await patch('v1/configmaps/one?fieldManager=me', APPLY, { ...MAP, metadata })
    refused(answer, 400, 'BadRequest', 'metadata.managedFields must be nil')
  })
  check('an applied version must be the current one', async (t) => {
    expectCode(await appliedMap(t)('helm', { a: '1' }), 201)
    const metadata = { name: 'one', resourceVersion: '1' }
    const answer = await t.patch('v1/configmaps/one?fieldManager=helm', APPLY, { ...MAP, metadata, data: { a: '2' } })
    refused(answer, 409, 'Conflict', /the object has been modified/)
  })
  check('an applied name must be that of the path', async ({ patch }) => {
    const answer = await patch('v1/configmaps/one?fieldManager=me', APPLY, { ...MAP, metadata: { name: 'two' } })
    assert.equal(answer.code, 400)
    assert.match(answer.body.message, /name/)
  })
  check('an applied kind must be that of the path', async ({ patch }) => {
    const body = { apiVersion: 'v1', kind: 'Secret' }
    assert.equal((await patch('v1/configmaps/one?fieldManager=me', APPLY, body)).code, 400)
  })
  check('a dry run of apply answers and leaves nothing', async (t) => {
    const { metadata } = expectCode(await appliedMap(t)('helm', { a: '1' }, '&dryRun=All'), 201)
    assert.equal(metadata.managedFields[0].manager, 'helm')
    assert.equal((await t.get('v1/configmaps/one')).code, 404)
  })
  check('managed fields are cleared by an empty entry', async (t) => {
    expectCode(await appliedMap(t)('helm', { a: '1' }), 201)
    const operations = [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]
    const next = expectCode(await t.patch('v1/configmaps/one', 'application/json-patch+json', operations), 200)
    assert.equal(next.metadata.managedFields, undefined)
  })
  check('each manager has one entry for its updates', async (t) => {
    expectCode(await t.post('v1/configmaps?fieldManager=me', configMap('one', { a: '1' })), 201)
    const next = expectCode(await t.patch('v1/configmaps/one?fieldManager=me', MERGE, { data: { b: '2' } }), 200)
    assert.deepEqual(managers(next), ['me Update'])
    assert.deepEqual(fieldsOf(next, 'me'), { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } })
  })
  check('without a name the manager is the first word of the user agent', async (t) => {
    const answer = await t.call('POST', t.path('v1/configmaps'), {
      body: configMap('one', { a: '1' }),
      headers: { 'user-agent': 'gardener/2.1 (linux)' },
    })
    assert.equal(expectCode(answer, 201).metadata.managedFields[0].manager, 'gardener')
  })
})
