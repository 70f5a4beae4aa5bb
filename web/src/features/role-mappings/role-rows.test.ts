import type { HeldRole } from '@quayside/contract/role-mappings/endpoints'
import { expect, it } from 'vitest'
import { rowsOf } from './role-rows.ts'

const group = { kind: 'group', id: 'g1', name: 'Crew' } as const
const held: HeldRole[] = [
  { name: 'captain', client: null, through: [], assigned: { id: 'r1', cid: null } },
  { name: 'captain', client: null, through: [group], assigned: null },
  { name: 'captain', client: 'shop', through: [group], assigned: null },
]

it('makes one row of each role, with all ways to it', () => {
  expect(rowsOf(held, '')).toEqual([
    { key: ':captain', name: 'captain', client: null, assigned: { id: 'r1', cid: null }, ways: [[], [group]] },
    { key: 'shop:captain', name: 'captain', client: 'shop', assigned: null, ways: [[group]] },
  ])
})

it.each([
  ['SHOP', ['shop:captain']],
  ['crew', [':captain', 'shop:captain']],
  ['realm', [':captain']],
  ['mate', []],
])('finds %s', (search, keys) => {
  expect(rowsOf(held, search).map(({ key }) => key)).toEqual(keys)
})
