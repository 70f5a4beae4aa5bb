import assert from 'node:assert/strict'
import { expectCode, namesOf, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, service } from '../../objects.ts'
import type { Scope } from '../../scope.ts'

const maps = async ({ make }: Scope, ...names: string[]) => {
  for (const name of names) await make('v1/configmaps', configMap(name, { of: name }, { labels: { is: name } }))
}

/** Without the one that a controller puts into every namespace. */
const OWN = 'labelSelector=is'

export const paging = area('paging', (check) => {
  check('a list comes in pages', async (t) => {
    await maps(t, 'a', 'b', 'c')
    const first = await t.read(`v1/configmaps?limit=2&${OWN}`)
    assert.deepEqual(namesOf(first), ['a', 'b'])
    assert.ok(first.metadata.continue)
    const next = encodeURIComponent(first.metadata.continue)
    const second = await t.read(`v1/configmaps?limit=2&${OWN}&continue=${next}`)
    assert.deepEqual(namesOf(second), ['c'])
    assert.equal(second.metadata.continue, undefined)
  })
  check('the first page says how many follow', async (t) => {
    for (const name of ['a', 'b', 'c']) await t.make('v1/services', service(name))
    const { metadata } = await t.read('v1/services?limit=1')
    assert.equal(metadata.remainingItemCount, 2)
  })
  check('with a selector nobody counts how many follow', async (t) => {
    await maps(t, 'a', 'b', 'c')
    const { metadata } = await t.read(`v1/configmaps?limit=1&${OWN}`)
    assert.equal(metadata.remainingItemCount, undefined)
  })
  check('later pages show what was there at the first', async (t) => {
    for (const name of ['a', 'c', 'd']) await t.make('v1/services', service(name))
    const first = await t.read('v1/services?limit=1')
    await t.make('v1/services', service('b'))
    await t.remove('v1/services/d')
    const second = await t.read(`v1/services?limit=5&continue=${encodeURIComponent(first.metadata.continue)}`)
    assert.deepEqual(namesOf(second), ['c', 'd'])
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion)
  })
  check('a page mark that is none is refused', async ({ get }) => {
    refused(
      await get('v1/configmaps?limit=1&continue=nonsense'),
      400,
      'BadRequest',
      /^invalid continue token: continue key is not valid: /,
    )
  })
  check('a page mark brings its own version', async (t) => {
    await maps(t, 'a', 'b')
    const first = await t.read(`v1/configmaps?limit=1`)
    const next = encodeURIComponent(first.metadata.continue)
    const answer = await t.get(`v1/configmaps?limit=1&continue=${next}&resourceVersion=1`)
    refused(answer, 400, 'BadRequest', 'specifying resource version is not allowed when using continue')
  })
  check('a collection is deleted page by page', async (t) => {
    await maps(t, 'a', 'b', 'c')
    expectCode(await t.remove(`v1/configmaps?${OWN}&limit=2`), 200)
    assert.ok((await t.read(`v1/configmaps?${OWN}`)).items.length <= 1)
  })
  check('kubectl reads in chunks', async (t) => {
    await maps(t, 'a', 'b', 'c', 'd', 'e')
    const { out, err } = await t.kubectl('get configmaps -l is --chunk-size=2 -o name -v=6')
    assert.equal(out.trim().split('\n').length, 5)
    assert.equal(err.match(/configmaps\?(continue=[^ ]*&)?labelSelector=is&limit=2/g)?.length, 3)
  })
})
