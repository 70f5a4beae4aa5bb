import assert from 'node:assert/strict'
import { expectCode, namesOf, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, job, pod } from '../../objects.ts'
import { MERGE, type Scope } from '../../scope.ts'

const maps = async ({ make }: Scope, ...names: string[]) => {
  for (const name of names) await make('v1/configmaps', configMap(name, { of: name }, { labels: { is: name } }))
}

/** Without the one that a controller puts into every namespace. */
const OWN = 'labelSelector=is'

export const selectors = area('selectors', (check) => {
  const labelled = async (t: Scope) => {
    const labels = [{ tier: 'web', env: 'test' }, { tier: 'web', env: 'live' }, { tier: 'db' }]
    for (const [index, one] of labels.entries())
      await t.make('v1/configmaps', configMap(`m${index}`, {}, { labels: one }))
    return async (selector: string) =>
      namesOf(await t.read(`v1/configmaps?labelSelector=${encodeURIComponent(selector)}`)).filter((name) =>
        /^m\d$/.test(name),
      )
  }
  const cases: [string, string[]][] = [
    ['tier=web', ['m0', 'm1']],
    ['tier==db', ['m2']],
    ['tier=web,env=live', ['m1']],
    ['env!=live', ['m0', 'm2']],
    ['env', ['m0', 'm1']],
    ['tier,!env', ['m2']],
    ['env in (test,live)', ['m0', 'm1']],
    ['tier,env notin (test)', ['m1', 'm2']],
    ['tier=none', []],
  ]
  for (const [selector, names] of cases) {
    check(`labels: ${selector}`, async (t) => assert.deepEqual(await (await labelled(t))(selector), names))
  }
  check('a selector that cannot be read is refused', async ({ get }) => {
    refused(
      await get(`v1/configmaps?labelSelector=${encodeURIComponent('a in (b')}`),
      400,
      'BadRequest',
      /^unable to parse requirement: found '', expected: ','? or '\)'|unable to parse requirement/,
    )
  })
  check('a selector with a value that no label has is refused', async ({ get }) => {
    refused(
      await get('v1/configmaps?labelSelector=a=_b'),
      400,
      'BadRequest',
      /a valid label must be an empty string or/,
    )
  })
  check('fields: name and namespace', async (t) => {
    await maps(t, 'a', 'b')
    assert.deepEqual(namesOf(await t.read('v1/configmaps?fieldSelector=metadata.name=a')), ['a'])
    assert.deepEqual(namesOf(await t.read(`v1/configmaps?${OWN}&fieldSelector=metadata.name!=a`)), ['b'])
    const everywhere = await t.call('GET', `/api/v1/configmaps?${OWN}&fieldSelector=metadata.namespace=${t.namespace}`)
    assert.deepEqual(namesOf(everywhere.body), ['a', 'b'])
  })
  check('fields that a kind does not offer are refused', async ({ get }) => {
    refused(
      await get('v1/configmaps?fieldSelector=data.x=1'),
      400,
      'BadRequest',
      '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    )
    refused(await get('v1/pods?fieldSelector=spec.x=1'), 400, 'BadRequest', 'field label not supported: spec.x')
  })
  check('pods are found by phase and node', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    assert.deepEqual(namesOf(await t.read('v1/pods?fieldSelector=status.phase=Pending,spec.nodeName=')), ['one'])
    assert.deepEqual(namesOf(await t.read('v1/pods?fieldSelector=status.phase!=Pending')), [])
    assert.deepEqual(namesOf(await t.read('v1/pods?fieldSelector=spec.restartPolicy=Always')), ['one'])
  })
  check('secrets are found by type', async (t) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: 'example.com/key' }
    await t.make('v1/secrets', secret)
    assert.deepEqual(namesOf(await t.read('v1/secrets?fieldSelector=type=example.com/key')), ['s'])
  })
  check('jobs are found by how often they succeeded', async (t) => {
    await t.make('batch/v1/jobs', job('j', { suspend: true }))
    assert.deepEqual(namesOf(await t.read('batch/v1/jobs?fieldSelector=status.successful=0')), ['j'])
  })
  check('namespaces are found by phase', async (t) => {
    const list = await t.call('GET', '/api/v1/namespaces?fieldSelector=status.phase=Active')
    assert.ok(namesOf(list.body).includes(t.namespace))
  })
  check('a change of labels moves an object in and out', async (t) => {
    await maps(t, 'a')
    expectCode(await t.patch('v1/configmaps/a', MERGE, { metadata: { labels: { is: null, was: 'a' } } }), 200)
    assert.deepEqual(namesOf(await t.read(`v1/configmaps?${OWN}`)), [])
    assert.deepEqual(namesOf(await t.read('v1/configmaps?labelSelector=was')), ['a'])
  })
})
