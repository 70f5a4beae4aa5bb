import type { Group } from '@quayside/contract/groups/endpoints'
import { expect, it } from 'vitest'
import { canHold, placesFor } from './places-for.ts'

const group = (id: string, ...subGroups: Group[]): Group => ({
  ...{ id, name: id, path: `/${id}`, memberCount: 0, subGroups },
})
const web = group('web', group('night'))
const eng = group('eng', web, group('ops'))
const tree = [eng, group('sales')]
const placesOf = (moved: Group) => placesFor(tree, moved).map(({ value }) => value)

it('offers every other place, and neither its own nor what is below it', () => {
  expect(placesOf(web)).toEqual(['top', 'ops', 'sales'])
  expect(placesOf(eng)).toEqual(['sales'])
})

it.each([
  ['sales', 'web', true],
  ['eng', 'web', false],
  ['night', 'web', false],
  ['web', 'web', false],
  ['sales', 'nobody', false],
])('%s can hold %s: %s', (id, moved, can) => {
  expect(canHold(tree, id, moved)).toBe(can)
})
