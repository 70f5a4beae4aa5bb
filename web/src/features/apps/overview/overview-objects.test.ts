import type { AppOverview } from '@quayside/contract/clusters/endpoints'
import { expect, it } from 'vitest'
import { type TreeObject, troubledOf, withRelease } from './overview-objects.ts'

const object = (id: string, parent: string | null, state: TreeObject['state'] = 'healthy'): TreeObject => ({
  id,
  parent,
  kind: 'K',
  name: id,
  namespace: 'n',
  state,
  detail: '',
})
const overview = (objects: TreeObject[]): AppOverview => ({
  release: {
    name: 'web-1',
    namespace: 'n',
    revision: 3,
    status: 'deployed',
    chart: 'web',
    appVersion: null,
    updatedAt: '2026-01-01T00:00:00.000Z',
    notes: '',
  },
  state: 'degraded',
  message: null,
  objects,
  endpoints: [],
})

it('hangs everything without a parent below the release', () => {
  const drawn = withRelease(overview([object('a', null), object('b', 'a'), object('c', 'gone')]))
  expect(drawn.map(({ id, parent }) => [id, parent])).toEqual([
    ['release', null],
    ['a', 'release'],
    ['b', 'a'],
    ['c', 'release'],
  ])
  expect(drawn[0]).toMatchObject({ name: 'web-1', detail: 'revision 3', state: 'degraded' })
})

it('draws no lone release', () => {
  expect(withRelease(overview([]))).toEqual([])
  expect(withRelease({ ...overview([object('a', null)]), release: null })).toHaveLength(1)
})

it('names the source of trouble, not everything above it', () => {
  const objects = [
    object('deployment', null, 'degraded'),
    object('set', 'deployment', 'degraded'),
    object('pod', 'set', 'failed'),
    object('fine', 'set'),
    object('claim', null, 'degraded'),
  ]
  expect(troubledOf(objects).map(({ id }) => id)).toEqual(['pod', 'claim'])
})
