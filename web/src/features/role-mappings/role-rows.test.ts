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

it('puts assigned ones first, and those of everybody last', () => {
  const others: HeldRole[] = [
    { name: 'default-roles-demo', client: null, through: [], assigned: { id: 'r0', cid: null } },
    { name: 'view-profile', client: 'account', through: [group], assigned: null },
    { name: 'apart', client: null, through: [group], assigned: null },
  ]
  const names = rowsOf([...others, ...held], '').map(({ name }) => name)
  expect(names).toEqual(['captain', 'apart', 'captain', 'default-roles-demo', 'view-profile'])
})

it.each([
  ['SHOP', ['shop:captain']],
  ['crew', [':captain', 'shop:captain']],
  ['realm', [':captain']],
  ['mate', []],
])('finds %s', (search, keys) => {
  expect(rowsOf(held, search).map(({ key }) => key)).toEqual(keys)
})
