import type { Group } from '@quayside/contract/groups/endpoints'
import { expect, it } from 'vitest'
import { countGroups, flattenGroups } from './flatten-groups.ts'

const group = (name: string, ...subGroups: Group[]): Group => ({
  id: name,
  name,
  path: `/${name}`,
  memberCount: 0,
  subGroups,
})
const tree = [group('eng', group('web'), group('ops', group('night'))), group('sales')]
const shown = (closed: string[], search = '') =>
  flattenGroups(tree, new Set(closed), search).map(({ group: { name }, level }) => `${level} ${name}`)

it('lists every open branch in order', () => {
  expect(shown([])).toEqual(['1 eng', '2 web', '2 ops', '3 night', '1 sales'])
  expect(shown(['eng'])).toEqual(['1 eng', '1 sales'])
})

it('opens the way to what is searched, even through closed branches', () => {
  expect(shown(['eng', 'ops'], 'NIGHT')).toEqual(['1 eng', '2 ops', '3 night'])
  expect(shown([], 'nobody')).toEqual([])
})

it('counts all depths', () => {
  expect(countGroups(tree)).toBe(5)
})
