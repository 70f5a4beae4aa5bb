import type { Group } from '@quayside/contract/groups/endpoints'
import { expect, test } from 'vitest'
import { reachOf } from './people-of-groups.ts'

const group = (id: string, ...subGroups: Group[]): Group => ({
  id,
  name: id,
  path: `/${id}`,
  memberCount: 0,
  subGroups,
})
const tree = [group('a', group('b', group('c')), group('d')), group('e')]

test('a chosen group reaches all below it, each once', () => {
  expect(reachOf(tree, new Set(['b']))).toEqual(['b', 'c'])
  expect(reachOf(tree, new Set(['a', 'c', 'e']))).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(reachOf(tree, new Set(['gone']))).toEqual([])
})
