import assert from 'node:assert/strict'
import { type Body, expectCode, holds, invalid, namesOf, refused } from '../answers.ts'
import { area } from '../check.ts'
import { configMap, deployment, pod } from '../objects.ts'
import { JSON_PATCH, MERGE, type Scope } from '../scope.ts'

const MAP = 'v1/configmaps/one'
const HOLD = 'example.com/hold'

const held = (t: Scope) => t.make('v1/configmaps', configMap('one', {}, { finalizers: [HOLD] }))
const release = (t: Scope) => t.patch(MAP, MERGE, { metadata: { finalizers: null } })
const ownedBy = (owner: Body, more: object = {}) => ({
  ownerReferences: [
    { apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, ...more },
  ],
})
const gone = (t: Scope, path: string) => t.until(`${path} to go`, async () => (await t.get(path)).code === 404)

export const deletion = area('deletion', (check) => {
  check('the answer says what went', async (t) => {
    const { metadata } = await t.make('v1/configmaps', configMap('one'))
    const said = expectCode(await t.remove(MAP), 200)
    holds(said, { kind: 'Status', apiVersion: 'v1', status: 'Success' })
    assert.deepEqual(said.details, { name: 'one', kind: 'configmaps', uid: metadata.uid })
    refused(await t.remove(MAP), 404, 'NotFound', 'configmaps "one" not found')
  })
  check('a foreign uid is a conflict', async (t) => {
    const { metadata } = await t.make('v1/configmaps', configMap('one'))
    refused(
      await t.remove(MAP, { preconditions: { uid: 'other' } }),
      409,
      'Conflict',
      `Operation cannot be fulfilled on ConfigMap "one": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    )
  })
  check('an old version is a conflict', async (t) => {
    const { metadata } = await t.make('v1/configmaps', configMap('one'))
    refused(
      await t.remove(MAP, { preconditions: { resourceVersion: '1' } }),
      409,
      'Conflict',
      `Operation cannot be fulfilled on ConfigMap "one": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    )
    const { resourceVersion, uid } = metadata
    expectCode(await t.remove(MAP, { preconditions: { resourceVersion, uid } }), 200)
  })
  check('a finalizer holds what is deleted', async (t) => {
    await held(t)
    const said = expectCode(await t.remove(MAP), 200)
    assert.match(said.metadata.deletionTimestamp, /Z$/)
    assert.equal(said.metadata.deletionGracePeriodSeconds, 0)
    assert.deepEqual((await t.read(MAP)).metadata.finalizers, [HOLD])
    expectCode(await release(t), 200)
    assert.equal((await t.get(MAP)).code, 404)
  })
  check('to delete again what is held keeps its time', async (t) => {
    await held(t)
    const first = expectCode(await t.remove(MAP), 200)
    const second = expectCode(await t.remove(MAP), 200)
    assert.equal(second.metadata.deletionTimestamp, first.metadata.deletionTimestamp)
    await release(t)
  })
  check('what is being deleted gets no more finalizers', async (t) => {
    await held(t)
    await t.remove(MAP)
    const finalizers = [HOLD, 'example.com/more']
    const why =
      'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}'
    const answer = await t.patch(MAP, MERGE, { metadata: { finalizers } })
    invalid(answer, ['metadata.finalizers', why], ['metadata.finalizers', why])
    await release(t)
  })
  check('what is being deleted may still change', async (t) => {
    await held(t)
    await t.remove(MAP)
    assert.deepEqual(expectCode(await t.patch(MAP, MERGE, { data: { last: 'words' } }), 200).data, { last: 'words' })
    await release(t)
  })
  check('the name of what is being deleted is not free yet', async (t) => {
    await held(t)
    await t.remove(MAP)
    refused(
      await t.post('v1/configmaps', configMap('one')),
      409,
      'AlreadyExists',
      'object is being deleted: configmaps "one" already exists',
    )
    await release(t)
  })
  check('the time of deletion is not for clients to set', async (t) => {
    const made = await t.make('v1/configmaps', configMap('one', {}, { deletionTimestamp: '2030-01-01T00:00:00Z' }))
    assert.equal(made.metadata.deletionTimestamp, undefined)
  })
  check('a finalizer needs a qualified name', async (t) => {
    const answer = await t.post('v1/configmaps', configMap('one', {}, { finalizers: ['hold'] }))
    const why = 'Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified'
    invalid(answer, ['metadata.finalizers[0]', why])
  })
  check('a collection goes by its labels', async (t) => {
    for (const name of ['a', 'b']) await t.make('v1/configmaps', configMap(name, {}, { labels: { is: name } }))
    expectCode(await t.remove('v1/configmaps?labelSelector=is=a'), 200)
    assert.deepEqual(namesOf(await t.read('v1/configmaps?labelSelector=is')), ['b'])
  })
  check('a collection tells what went', async (t) => {
    await t.make('v1/configmaps', configMap('a', {}, { labels: { is: 'a' } }))
    const said = expectCode(await t.remove('v1/configmaps?labelSelector=is'), 200)
    assert.equal(said.kind, 'ConfigMapList')
    assert.deepEqual(namesOf(said), ['a'])
  })
  check('a way of propagation that is none is refused', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    refused(
      await t.remove(MAP, { propagationPolicy: 'Sideways' }),
      422,
      'Invalid',
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    )
  })
  check('two ways of propagation at once are refused', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    const answer = await t.remove(MAP, { propagationPolicy: 'Orphan', orphanDependents: true })
    refused(answer, 422, 'Invalid', /orphanDependents and deletionPropagation cannot be both set/)
  })
  check('foreground deletion waits behind a finalizer', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    const said = expectCode(await t.remove(MAP, { propagationPolicy: 'Foreground' }), 200)
    assert.ok(said.metadata.finalizers?.includes('foregroundDeletion') || said.status === 'Success')
    await t.patch(MAP, MERGE, { metadata: { finalizers: null } })
  })
  check('the policy may stand in the query', async (t) => {
    await t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
    const said = expectCode(await t.remove('apps/v1/deployments/web?propagationPolicy=Foreground'), 200)
    assert.deepEqual(said.metadata.finalizers, ['foregroundDeletion'])
  })
  check('a pod that no node has goes at once', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    const said = expectCode(await t.remove('v1/pods/one'), 200)
    assert.equal(said.kind, 'Pod')
    assert.equal((await t.get('v1/pods/one')).code, 404)
  })
  check('a pod on a node has its grace', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeName: 'no-such-node', terminationGracePeriodSeconds: 17 }))
    const { metadata } = expectCode(await t.remove('v1/pods/one'), 200)
    assert.equal(metadata.deletionGracePeriodSeconds, 17)
    await t.remove('v1/pods/one', { gracePeriodSeconds: 0 })
    await gone(t, 'v1/pods/one')
  })
})

export const owners = area('owners and garbage', (check) => {
  check('an owner needs all its parts', async (t) => {
    const ownerReferences = [{ apiVersion: '', kind: '', name: '', uid: '' }]
    invalid(
      await t.post('v1/configmaps', configMap('one', {}, { ownerReferences })),
      ['metadata.ownerReferences.apiVersion', 'Invalid value: "": version must not be empty'],
      ['metadata.ownerReferences.kind', 'Invalid value: "": must not be empty'],
      ['metadata.ownerReferences.name', 'Invalid value: "": must not be empty'],
      ['metadata.ownerReferences.uid', 'Invalid value: "": must not be empty'],
    )
  })
  check('only one owner controls', async (t) => {
    const owner = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: name, controller: true })
    const ownerReferences = [owner('a'), owner('b')]
    refused(
      await t.post('v1/configmaps', configMap('one', {}, { ownerReferences })),
      422,
      'Invalid',
      /Only one reference can have Controller set to true\. Found "true" in references for (a and b|\w+\/a and \w+\/b)/,
    )
  })
  check('an event owns nothing', async (t) => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'a' }]
    const answer = await t.post('v1/configmaps', configMap('one', {}, { ownerReferences }))
    refused(answer, 422, 'Invalid', /\/v1, Kind=Event is disallowed from being an owner/)
  })
  check('what is owned goes after its owner', 'controllers', async (t) => {
    const owner = await t.make('v1/configmaps', configMap('one'))
    await t.make('v1/configmaps', configMap('mine', {}, ownedBy(owner)))
    expectCode(await t.remove(MAP), 200)
    await gone(t, 'v1/configmaps/mine')
  })
  check('what is owned goes before its owner in the foreground', 'controllers', async (t) => {
    const owner = await t.make('v1/configmaps', configMap('one'))
    await t.make(
      'v1/configmaps',
      configMap('mine', {}, { ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: [HOLD] }),
    )
    expectCode(await t.remove(MAP, { propagationPolicy: 'Foreground' }), 200)
    await t.until('the owned one is being deleted', async () => {
      return (await t.read('v1/configmaps/mine')).metadata.deletionTimestamp
    })
    assert.equal((await t.get(MAP)).code, 200)
    await t.patch('v1/configmaps/mine', MERGE, { metadata: { finalizers: null } })
    await gone(t, MAP)
  })
  check('what is orphaned stays and forgets its owner', 'controllers', async (t) => {
    const owner = await t.make('v1/configmaps', configMap('one'))
    await t.make('v1/configmaps', configMap('mine', {}, ownedBy(owner)))
    // The collector has to know of it before it can set it free.
    const waits = { op: 'add', path: '/metadata/annotations', value: { seen: 'yes' } }
    expectCode(await t.patch('v1/configmaps/mine', JSON_PATCH, [waits]), 200)
    await new Promise((next) => setTimeout(next, 500))
    expectCode(await t.remove(MAP, { propagationPolicy: 'Orphan' }), 200)
    await gone(t, MAP)
    assert.equal((await t.read('v1/configmaps/mine')).metadata.ownerReferences, undefined)
  })
  check('what has an owner that never was goes', 'controllers', async (t) => {
    const owner = { metadata: { name: 'never', uid: '5b0f2d53-0000-4000-8000-000000000000' } }
    await t.make('v1/configmaps', configMap('mine', {}, ownedBy(owner)))
    await gone(t, 'v1/configmaps/mine')
  })
  check('what has two owners stays until the second is gone', 'controllers', async (t) => {
    const owners = [await t.make('v1/configmaps', configMap('one')), await t.make('v1/configmaps', configMap('two'))]
    const ownerReferences = owners.flatMap((owner) => ownedBy(owner).ownerReferences)
    await t.make('v1/configmaps', configMap('mine', {}, { ownerReferences }))
    expectCode(await t.remove(MAP), 200)
    await t.until('one owner is left', async () => {
      return (await t.read('v1/configmaps/mine')).metadata.ownerReferences.length === 1
    })
    expectCode(await t.remove('v1/configmaps/two'), 200)
    await gone(t, 'v1/configmaps/mine')
  })
})

const namespaceOf = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
  ...more,
})

export const namespaces = area('namespaces', (check) => {
  check('a namespace is labelled with its name and held by its finalizer', async (t) => {
    const { body } = await t.call('GET', `/api/v1/namespaces/${t.namespace}`)
    assert.equal(body.metadata.labels['kubernetes.io/metadata.name'], t.namespace)
    assert.deepEqual(body.spec.finalizers, ['kubernetes'])
    assert.equal(body.status.phase, 'Active')
  })
  check('the label of the name cannot be changed', async (t) => {
    const metadata = { labels: { 'kubernetes.io/metadata.name': 'other' } }
    const answer = await t.call('PATCH', `/api/v1/namespaces/${t.namespace}`, { type: MERGE, body: { metadata } })
    assert.equal(expectCode(answer, 200).metadata.labels['kubernetes.io/metadata.name'], t.namespace)
  })
  check('the name of a namespace is a DNS label', async (t) => {
    const answer = await t.call('POST', '/api/v1/namespaces', { body: namespaceOf('a.b') })
    invalid(answer, ['metadata.name', 'Invalid value: "a.b": must not contain dots'])
  })
  check('the first namespaces cannot be deleted', async (t) => {
    for (const name of ['default', 'kube-system', 'kube-public'])
      refused(
        await t.call('DELETE', `/api/v1/namespaces/${name}?dryRun=All`),
        403,
        'Forbidden',
        `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      )
  })
  check('a namespace that goes takes nothing more', async (t) => {
    const name = await t.otherNamespace()
    const maps = `/api/v1/namespaces/${name}/configmaps`
    const body = configMap('held', {}, { finalizers: [HOLD] })
    expectCode(await t.call('POST', maps, { body }), 201)
    const said = expectCode(await t.call('DELETE', `/api/v1/namespaces/${name}`), 200)
    assert.equal(said.status.phase, 'Terminating')
    const answer = await t.call('POST', maps, { body: configMap('late') })
    refused(
      answer,
      403,
      'Forbidden',
      `configmaps "late" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
    )
    holds(answer.body.details.causes, [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }])
    await t.call('PATCH', `${maps}/held`, { type: MERGE, body: { metadata: { finalizers: null } } })
  })
  check('a namespace takes all it holds with it', 'controllers', async (t) => {
    const name = await t.otherNamespace()
    const maps = `/api/v1/namespaces/${name}/configmaps`
    expectCode(await t.call('POST', maps, { body: configMap('a') }), 201)
    expectCode(await t.call('DELETE', `/api/v1/namespaces/${name}`), 200)
    await t.until('the namespace to go', async () => (await t.call('GET', `/api/v1/namespaces/${name}`)).code === 404)
    assert.equal((await t.call('GET', `${maps}/a`)).code, 404)
  })
  check('a namespace says what it waits for', 'controllers', async (t) => {
    const name = await t.otherNamespace()
    const path = `/api/v1/namespaces/${name}`
    const body = configMap('held', {}, { finalizers: [HOLD] })
    expectCode(await t.call('POST', `${path}/configmaps`, { body }), 201)
    expectCode(await t.call('DELETE', path), 200)
    const find = async () => {
      const { conditions = [] } = (await t.call('GET', path)).body.status
      return conditions.find(({ type, status }: Body) => type === 'NamespaceFinalizersRemaining' && status === 'True')
    }
    const { message, reason } = await t.until('the condition', find)
    assert.equal(reason, 'SomeFinalizersRemain')
    assert.equal(message, `Some content in the namespace has finalizers remaining: ${HOLD} in 1 resource instances`)
    await t.call('PATCH', `${path}/configmaps/held`, { type: MERGE, body: { metadata: { finalizers: null } } })
    await t.until('the namespace to go', async () => (await t.call('GET', path)).code === 404)
  })
  check('every namespace gets an account and the authority', 'controllers', async (t) => {
    await t.until('the account', async () => (await t.get('v1/serviceaccounts/default')).code === 200)
    const find = async () => (await t.get('v1/configmaps/kube-root-ca.crt')).body.data?.['ca.crt']
    assert.match(await t.until('the authority', find), /^-----BEGIN CERTIFICATE-----/)
  })
})
