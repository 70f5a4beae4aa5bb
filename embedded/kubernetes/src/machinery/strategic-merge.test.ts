import { expect, test } from 'vitest'
import { modelSchema } from '../resources/model-schema.ts'
import { strategicMerge } from './strategic-merge.ts'

const pod = modelSchema('V1Pod')
const withContainers = (...containers: unknown[]) => ({ spec: { containers } })

test('containers merge by name, their environment too', () => {
  const current = withContainers({ name: 'a', image: '1', env: [{ name: 'X', value: '1' }] }, { name: 'b' })
  const patch = withContainers({ name: 'a', env: [{ name: 'Y', value: '2' }] }, { name: 'c' })
  expect(strategicMerge(pod, current, patch)).toEqual(
    withContainers(
      {
        name: 'a',
        image: '1',
        env: [
          { name: 'X', value: '1' },
          { name: 'Y', value: '2' },
        ],
      },
      { name: 'b' },
      { name: 'c' },
    ),
  )
})

test('$patch: delete removes an item, $patch: replace a whole list or object', () => {
  const current = withContainers({ name: 'a' }, { name: 'b' })
  expect(strategicMerge(pod, current, withContainers({ name: 'a', $patch: 'delete' }))).toEqual(
    withContainers({ name: 'b' }),
  )
  expect(strategicMerge(pod, current, withContainers({ name: 'z' }, { $patch: 'replace' }))).toEqual(
    withContainers({ name: 'z' }),
  )
  const labelled = { metadata: { labels: { a: '1', b: '2' } } }
  expect(strategicMerge(pod, labelled, { metadata: { labels: { $patch: 'replace', c: '3' } } })).toEqual({
    metadata: { labels: { c: '3' } },
  })
})

test('the order asked for is kept, strangers stay behind what they followed', () => {
  const current = withContainers({ name: 'a' }, { name: 'x' }, { name: 'b' })
  const patch = { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], containers: [{ name: 'b' }] } }
  expect(strategicMerge(pod, current, patch)).toEqual(withContainers({ name: 'b' }, { name: 'a' }, { name: 'x' }))
})

test('lists of plain values unite or lose members', () => {
  const current = { metadata: { finalizers: ['a', 'b'] } }
  expect(strategicMerge(pod, current, { metadata: { finalizers: ['c'] } })).toEqual({
    metadata: { finalizers: ['a', 'b', 'c'] },
  })
  expect(strategicMerge(pod, current, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } })).toEqual({
    metadata: { finalizers: ['b'] },
  })
})

test('lists without a merge key are replaced, null removes', () => {
  const current = { spec: { tolerations: [{ key: 'a' }], nodeName: 'n', containers: [] } }
  expect(strategicMerge(pod, current, { spec: { tolerations: [{ key: 'b' }], nodeName: null } })).toEqual({
    spec: { tolerations: [{ key: 'b' }], containers: [] },
  })
})

test('$retainKeys drops the members of the other strategy', () => {
  const current = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } }
  const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }
  expect(strategicMerge(modelSchema('V1Deployment'), current, patch)).toEqual({
    spec: { strategy: { type: 'Recreate' } },
  })
})

test('an item without its key is refused', () => {
  expect(() => strategicMerge(pod, withContainers({ name: 'a' }), withContainers({ image: 'x' }))).toThrow(
    'merge key: name',
  )
})
