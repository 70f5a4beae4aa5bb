import assert from 'node:assert/strict'
import { type Body, expectCode, invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { pod } from '../../objects.ts'
import { MERGE } from '../../scope.ts'

const DRY = 'v1/pods?dryRun=All'

const SCHEDULING = 'scheduling.k8s.io/v1'

const priorityClass = (name: string, value: number, more: object = {}) => ({
  apiVersion: SCHEDULING,
  kind: 'PriorityClass',
  metadata: { name },
  value,
  ...more,
})

/** Every cluster has it. */
const URGENT = 'system-cluster-critical'

export const priorities = area('priorities', (check) => {
  check('pods of a workload get the priority of the class it names', 'controllers', async (t) => {
    const template = { metadata: { labels: { app: 'urgent' } }, spec: pod('x', { priorityClassName: URGENT }).spec }
    const spec = { replicas: 1, selector: { matchLabels: { app: 'urgent' } }, template }
    await t.make('apps/v1/deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'urgent' },
      spec,
    })
    const find = async () => (await t.get('v1/pods?labelSelector=app%3Durgent')).body.items[0]
    const made = await t.until('a pod', find)
    assert.deepEqual([made.spec.priorityClassName, made.spec.priority], [URGENT, 2_000_000_000])
  })
  check('the two of the system are there', async (t) => {
    const { items } = await t.read(`${SCHEDULING}/priorityclasses`)
    const values = Object.fromEntries(items.map(({ metadata, value }: Body) => [metadata.name, value]))
    assert.equal(values['system-cluster-critical'], 2_000_000_000)
    assert.equal(values['system-node-critical'], 2_000_001_000)
  })
  check('a pod gets the number of its class', async (t) => {
    await t.account()
    const name = t.unique('high')
    await t.makeWide(`${SCHEDULING}/priorityclasses`, priorityClass(name, 1000, { preemptionPolicy: 'Never' }))
    const made = await t.until('the class to be known', async () => {
      const answer = await t.post(DRY, pod('one', { priorityClassName: name }))
      return answer.code === 201 && answer.body
    })
    assert.deepEqual([made.spec.priority, made.spec.preemptionPolicy], [1000, 'Never'])
  })
  check('a pod without a class has none', async (t) => {
    await t.account()
    const { spec } = expectCode(await t.post(DRY, pod('one')), 201)
    assert.deepEqual([spec.priority, spec.preemptionPolicy], [0, 'PreemptLowerPriority'])
  })
  check('a class that is not there is refused', async (t) => {
    await t.account()
    refused(
      await t.post(DRY, pod('one', { priorityClassName: 'none' })),
      403,
      'Forbidden',
      'pods "one" is forbidden: no PriorityClass with name none was found',
    )
  })
  check('a number of its own is refused', async (t) => {
    await t.account()
    refused(
      await t.post(DRY, pod('one', { priority: 5 })),
      403,
      'Forbidden',
      'pods "one" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    )
  })
  check('a class may not be above those of the system', async (t) => {
    invalid(await t.post(`${SCHEDULING}/priorityclasses`, priorityClass('too-high', 1_000_000_001)), [
      'value',
      'Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ])
  })
  check('names of the system are reserved', async (t) => {
    refused(
      await t.post(`${SCHEDULING}/priorityclasses`, priorityClass('system-mine', 5)),
      422,
      'Invalid',
      /metadata\.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only/,
    )
  })
  check('the number of a class stays', async (t) => {
    const name = t.unique('class')
    await t.makeWide(`${SCHEDULING}/priorityclasses`, priorityClass(name, 5))
    const answer = await t.patch(`${SCHEDULING}/priorityclasses/${name}`, MERGE, { value: 6 })
    invalid(answer, ['value', 'Forbidden: may not be changed in an update.'])
  })
})
