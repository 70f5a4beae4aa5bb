import assert from 'node:assert/strict'
import { expectCode, holds, invalid, namesOf, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, deployment, pod } from '../../objects.ts'
import { MERGE, type Scope } from '../../scope.ts'

const MAP = 'v1/configmaps/one'

const HOLD = 'example.com/hold'

const held = (t: Scope) => t.make('v1/configmaps', configMap('one', {}, { finalizers: [HOLD] }))

const release = (t: Scope) => t.patch(MAP, MERGE, { metadata: { finalizers: null } })

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
  check('to delete in the background drops what an earlier deletion waits for, and no other finalizer', async (t) => {
    await t.make('v1/configmaps', configMap('one', {}, { finalizers: [HOLD, 'foregroundDeletion'] }))
    const said = expectCode(await t.remove(MAP, { propagationPolicy: 'Background' }), 200)
    assert.deepEqual(said.metadata.finalizers, [HOLD])
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
