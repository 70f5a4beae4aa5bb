import assert from 'node:assert/strict'
import { expectCode, invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, deployment } from '../../objects.ts'
import { MERGE, type Scope } from '../../scope.ts'

export const scaling = area('scale', (check) => {
  const made = (t: Scope) => t.make('apps/v1/deployments', deployment('web', { replicas: 0 }))
  const SCALE = 'apps/v1/deployments/web/scale'
  check('a scale shows the wish and the selector', async (t) => {
    await made(t)
    const scale = await t.read(SCALE)
    assert.deepEqual([scale.kind, scale.apiVersion], ['Scale', 'autoscaling/v1'])
    assert.deepEqual(scale.status, { replicas: 0, selector: 'app=web' })
    assert.equal(scale.spec.replicas ?? 0, 0)
  })
  check('a scale is patched and replaced', async (t) => {
    await made(t)
    assert.equal(expectCode(await t.patch(SCALE, MERGE, { spec: { replicas: 1 } }), 200).spec.replicas, 1)
    const scale = await t.read(SCALE)
    const next = { ...scale, metadata: { ...scale.metadata, resourceVersion: undefined }, spec: { replicas: 2 } }
    expectCode(await t.put(SCALE, next), 200)
    assert.equal((await t.read('apps/v1/deployments/web')).spec.replicas, 2)
  })
  check('a scale below zero is refused', async (t) => {
    await made(t)
    invalid(await t.patch(SCALE, MERGE, { spec: { replicas: -1 } }), [
      'spec.replicas',
      'Invalid value: -1: must be greater than or equal to 0',
    ])
  })
  check('a scale at an old version is a conflict', async (t) => {
    await made(t)
    const scale = await t.read(SCALE)
    const metadata = { ...scale.metadata, resourceVersion: '1' }
    refused(await t.put(SCALE, { ...scale, metadata, spec: { replicas: 2 } }), 409, 'Conflict')
  })
  check('a scale of nothing is 404', async (t) => {
    refused(await t.get(SCALE), 404, 'NotFound', 'deployments.apps "web" not found')
  })
  check('a kind without a scale has none', async (t) => {
    await t.make('v1/configmaps', configMap('one'))
    refused(await t.get('v1/configmaps/one/scale'), 404, 'NotFound')
  })
})
