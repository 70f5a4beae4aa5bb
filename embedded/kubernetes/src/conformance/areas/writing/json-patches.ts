import assert from 'node:assert/strict'
import { expectCode, invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap } from '../../objects.ts'
import { JSON_PATCH, MERGE, type Scope } from '../../scope.ts'

const MAP = 'v1/configmaps/one'

const IN_ERROR = 'the server rejected our request due to an error in our request'

const map = ({ make }: Scope, data: Record<string, string> = { a: '1', b: '2' }) =>
  make('v1/configmaps', configMap('one', data))

export const jsonPatches = area('JSON patch and merge patch', (check) => {
  check('a merge patch sets, and null takes away', async (t) => {
    await map(t)
    const { data } = expectCode(await t.patch(MAP, MERGE, { data: { a: null, c: '3' } }), 200)
    assert.deepEqual(data, { b: '2', c: '3' })
  })
  check('a merge patch replaces lists as a whole', async (t) => {
    await t.make('v1/configmaps', configMap('one', {}, { finalizers: ['example.com/a', 'example.com/b'] }))
    const next = expectCode(await t.patch(MAP, MERGE, { metadata: { finalizers: ['example.com/c'] } }), 200)
    assert.deepEqual(next.metadata.finalizers, ['example.com/c'])
    expectCode(await t.patch(MAP, MERGE, { metadata: { finalizers: null } }), 200)
  })
  check('a merge patch of nothing keeps the version', async (t) => {
    const made = await map(t)
    const next = expectCode(await t.patch(MAP, MERGE, {}), 200)
    assert.equal(next.metadata.resourceVersion, made.metadata.resourceVersion)
  })
  check('a merge patch with an old version is a conflict', async (t) => {
    await map(t)
    const answer = await t.patch(MAP, MERGE, { metadata: { resourceVersion: '1' }, data: { a: '2' } })
    refused(answer, 409, 'Conflict', /^Operation cannot be fulfilled on configmaps "one": the object has been modified/)
  })
  check('a JSON patch adds, replaces, removes, moves and copies', async (t) => {
    await map(t)
    const operations = [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/a', value: '9' },
      { op: 'add', path: '/data/c', value: '3' },
      { op: 'move', from: '/data/b', path: '/data/d' },
      { op: 'copy', from: '/data/c', path: '/data/e' },
    ]
    const { data } = expectCode(await t.patch(MAP, JSON_PATCH, operations), 200)
    assert.deepEqual(data, { a: '9', c: '3', d: '2', e: '3' })
  })
  check('a JSON patch whose test fails changes nothing', async (t) => {
    await map(t)
    const operations = [
      { op: 'replace', path: '/data/b', value: '9' },
      { op: 'test', path: '/data/a', value: 'other' },
    ]
    refused(await t.patch(MAP, JSON_PATCH, operations), 422, 'Invalid', IN_ERROR)
    assert.deepEqual((await t.read(MAP)).data, { a: '1', b: '2' })
  })
  check('a JSON patch cannot remove what is not there', async (t) => {
    await map(t)
    refused(await t.patch(MAP, JSON_PATCH, [{ op: 'remove', path: '/data/z' }]), 422, 'Invalid', IN_ERROR)
  })
  check('a JSON patch reaches keys with a slash by ~1', async (t) => {
    await t.make('v1/configmaps', configMap('one', {}, { annotations: { 'example.com/a': '1' } }))
    const operations = [{ op: 'replace', path: '/metadata/annotations/example.com~1a', value: '2' }]
    const { metadata } = expectCode(await t.patch(MAP, JSON_PATCH, operations), 200)
    assert.equal(metadata.annotations['example.com/a'], '2')
  })
  check('a JSON patch appends to a list with a dash', async (t) => {
    await t.make('v1/configmaps', configMap('one', {}, { finalizers: ['example.com/a'] }))
    const operations = [{ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/b' }]
    const { metadata } = expectCode(await t.patch(MAP, JSON_PATCH, operations), 200)
    assert.deepEqual(metadata.finalizers, ['example.com/a', 'example.com/b'])
    expectCode(await t.patch(MAP, MERGE, { metadata: { finalizers: null } }), 200)
  })
  check('a JSON patch that is no list is refused', async (t) => {
    await map(t)
    refused(
      await t.patch(MAP, JSON_PATCH, { op: 'remove', path: '/data/a' }),
      400,
      'BadRequest',
      /cannot unmarshal object into Go value of type (jsonpatch\.Patch|\[\]handlers\.jsonPatchOp)/,
    )
  })
  check('a patch of an unknown form is 415', async (t) => {
    await map(t)
    refused(await t.patch(MAP, 'text/plain', 'x'), 415, 'UnsupportedMediaType', '415: Unsupported Media Type')
  })
  check('a patch of what is not there is 404', async (t) => {
    refused(await t.patch('v1/configmaps/none', MERGE, {}), 404, 'NotFound', 'configmaps "none" not found')
  })
  check('a patch cannot give another name', async (t) => {
    await map(t)
    const answer = await t.patch(MAP, MERGE, { metadata: { name: 'two' } })
    refused(answer, 400, 'BadRequest', 'the name of the object (two) does not match the name on the URL (one)')
  })
  check('a patch cannot give another uid', async (t) => {
    await map(t)
    const answer = await t.patch(MAP, MERGE, { metadata: { uid: 'other' } })
    const why = 'Invalid value: "other": field is immutable'
    invalid(answer, ['metadata.uid', why], ['metadata.uid', why])
  })
  check('a patch can be a dry run', async (t) => {
    await map(t)
    const { data } = expectCode(await t.patch(`${MAP}?dryRun=All`, MERGE, { data: { a: '9' } }), 200)
    assert.equal(data.a, '9')
    assert.equal((await t.read(MAP)).data.a, '1')
  })
  check('a patched object is checked as a whole', async (t) => {
    await map(t)
    invalid(await t.patch(MAP, MERGE, { data: { 'not a key!': 'x' } }), ['data[not a key!]', /a valid config key must/])
  })
})
