import assert from 'node:assert/strict'
import { type Body, holds, namesOf, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

const maps = async ({ make }: Scope, ...names: string[]) => {
  for (const name of names) await make('v1/configmaps', configMap(name, { of: name }, { labels: { is: name } }))
}

/** Without the one that a controller puts into every namespace. */
const OWN = 'labelSelector=is'

export const versions = area('resource versions', (check) => {
  check('a list has the version of the whole', async (t) => {
    const before = await t.read('v1/configmaps')
    await maps(t, 'a')
    const after = await t.read('v1/configmaps')
    assert.ok(BigInt(after.metadata.resourceVersion) > BigInt(before.metadata.resourceVersion))
    const [one] = after.items.filter(({ metadata }: Body) => metadata.name === 'a')
    assert.ok(BigInt(one.metadata.resourceVersion) <= BigInt(after.metadata.resourceVersion))
  })
  check('Exact shows the past', async (t) => {
    await maps(t, 'a')
    const { metadata } = await t.read(`v1/configmaps?${OWN}`)
    await maps(t, 'b')
    const then = await t.read(
      `v1/configmaps?${OWN}&resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`,
    )
    assert.deepEqual(namesOf(then), ['a'])
    assert.equal(then.metadata.resourceVersion, metadata.resourceVersion)
  })
  check('NotOlderThan shows that or later', async (t) => {
    await maps(t, 'a')
    const { metadata } = await t.read(`v1/configmaps?${OWN}`)
    const query = `${OWN}&resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`
    assert.deepEqual(namesOf(await t.read(`v1/configmaps?${query}`)), ['a'])
  })
  check('version 0 takes whatever is at hand', async (t) => {
    await maps(t, 'a')
    await t.until('a list that knows it', async () => {
      const list = await t.read(`v1/configmaps?${OWN}&resourceVersion=0`)
      return namesOf(list).join() === 'a'
    })
  })
  check('a version that is yet to come is waited for, then 504', async (t) => {
    const answer = await t.get('v1/configmaps?resourceVersion=999999999999&resourceVersionMatch=NotOlderThan')
    refused(answer, 504, 'Timeout', /^(Timeout: )?Too large resource version: 999999999999, current: \d+$/)
    holds(answer.body.details.causes, [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }])
  })
  check('a version that is none is refused', async ({ get }) => {
    const { code, body } = await get('v1/configmaps?resourceVersion=abc')
    assert.equal(code, 400)
    assert.match(body.message, /[Ii]nvalid/)
  })
  check('how a version is meant needs a version', async ({ get }) => {
    refused(
      await get('v1/configmaps?resourceVersionMatch=Exact'),
      422,
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    )
  })
  check('Exact needs a real version', async ({ get }) => {
    refused(
      await get('v1/configmaps?resourceVersion=0&resourceVersionMatch=Exact'),
      422,
      'Invalid',
      /resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"/,
    )
  })
  check('an unknown meaning is refused', async ({ get }) => {
    refused(
      await get('v1/configmaps?resourceVersion=1&resourceVersionMatch=Roughly'),
      422,
      'Invalid',
      /resourceVersionMatch: Unsupported value: "Roughly": supported values: "Exact", "NotOlderThan"/,
    )
  })
  check('initial events are for watches', async ({ get }) => {
    refused(
      await get('v1/configmaps?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0'),
      422,
      'Invalid',
      /sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list/,
    )
  })
  check('a get may ask for a version at least', async (t) => {
    await maps(t, 'a')
    const { metadata } = await t.read('v1/configmaps/a')
    const at = metadata.resourceVersion
    assert.equal((await t.read(`v1/configmaps/a?resourceVersion=${at}`)).metadata.uid, metadata.uid)
  })
})
