import assert from 'node:assert/strict'
import { expectCode, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { deployment, pod } from '../../objects.ts'
import { MERGE, type Scope } from '../../scope.ts'

const budget = (spec: object) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
})

const eviction = (name: string, more: object = {}) => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  ...more,
})

export const evictions = area('evictions and budgets', (check) => {
  const waiting = async (t: Scope) => {
    await t.account()
    return t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }, { labels: { app: 'web' } }))
  }
  check('an eviction takes a pod away', async (t) => {
    await waiting(t)
    const answer = await t.post('v1/pods/one/eviction', eviction('one'))
    assert.equal(expectCode(answer, 201).status, 'Success')
    assert.equal((await t.get('v1/pods/one')).code, 404)
  })
  check('an eviction can be a dry run', async (t) => {
    await waiting(t)
    expectCode(await t.post('v1/pods/one/eviction?dryRun=All', eviction('one')), 201)
    assert.equal((await t.get('v1/pods/one')).code, 200)
  })
  check('an eviction of another pod is refused', async (t) => {
    await waiting(t)
    const answer = await t.post('v1/pods/one/eviction', eviction('two'))
    refused(answer, 400, 'BadRequest', 'name in URL does not match name in Eviction object')
  })
  check('an eviction of nobody is 404', async (t) => {
    refused(await t.post('v1/pods/one/eviction', eviction('one')), 404, 'NotFound', 'pods "one" not found')
  })
  check('an eviction may name the pod it means', async (t) => {
    await waiting(t)
    const answer = await t.post(
      'v1/pods/one/eviction',
      eviction('one', { deleteOptions: { preconditions: { uid: 'other' } } }),
    )
    refused(answer, 409, 'Conflict', /the UID in the precondition \(other\) does not match/)
  })
  check('a budget says one thing of two', async (t) => {
    const answer = await t.post('policy/v1/poddisruptionbudgets', budget({ minAvailable: 1, maxUnavailable: 1 }))
    refused(answer, 422, 'Invalid', /spec: Invalid value: .*: minAvailable and maxUnavailable cannot be both set/)
  })
  check('a budget may be a share', async (t) => {
    const { spec } = await t.make('policy/v1/poddisruptionbudgets', budget({ maxUnavailable: '50%' }))
    assert.equal(spec.maxUnavailable, '50%')
    const answer = await t.patch('policy/v1/poddisruptionbudgets/b', MERGE, { spec: { maxUnavailable: 'half' } })
    refused(answer, 422, 'Invalid', /spec\.maxUnavailable: Invalid value: "half": a valid percent string must be/)
  })
  check('a budget counts what it watches over', 'controllers', async (t) => {
    await t.make('policy/v1/poddisruptionbudgets', budget({ minAvailable: 1 }))
    const { status } = await t.until('the count', async () => {
      const found = await t.read('policy/v1/poddisruptionbudgets/b')
      return found.status.observedGeneration === 1 && found
    })
    assert.deepEqual([status.desiredHealthy, status.disruptionsAllowed, status.expectedPods], [1, 0, 0])
    assert.equal(status.conditions[0].reason, 'InsufficientPods')
  })
  check('an eviction that a budget forbids is 429', 'nodes', async (t) => {
    await t.account()
    await t.make('policy/v1/poddisruptionbudgets', budget({ minAvailable: 1 }))
    await t.make('apps/v1/deployments', deployment('web'))
    const name = await t.until('a ready pod', async () => {
      const { status } = await t.read('policy/v1/poddisruptionbudgets/b')
      const [one] = (await t.read('v1/pods?labelSelector=app=web')).items
      return status.currentHealthy === 1 && status.desiredHealthy === 1 && one?.metadata.name
    })
    const answer = await t.post(`v1/pods/${name}/eviction`, eviction(name))
    refused(answer, 429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.")
    assert.deepEqual(answer.body.details.causes, [
      { reason: 'DisruptionBudget', message: 'The disruption budget b needs 1 healthy pods and has 1 currently' },
    ])
  })
})
