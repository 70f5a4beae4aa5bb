import assert from 'node:assert/strict'
import { type Body, expectCode, invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap } from '../../objects.ts'
import { JSON_PATCH, MERGE, type Scope } from '../../scope.ts'

const MAP = 'v1/configmaps/one'

const HOLD = 'example.com/hold'

const ownedBy = (owner: Body, more: object = {}) => ({
  ownerReferences: [
    { apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, ...more },
  ],
})

const gone = (t: Scope, path: string) => t.until(`${path} to go`, async () => (await t.get(path)).code === 404)

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
