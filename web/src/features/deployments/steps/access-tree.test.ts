import type { Group } from '@quayside/contract/groups/endpoints'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChosenGroup } from '../deploy-data.ts'
import { matchingGroups, setGroup, setRole, stateOfGroup, withSubgroups } from './access-tree.ts'

const group = (id: string, ...subGroups: Group[]): Group => ({
  id,
  name: id,
  path: `/${id}`,
  memberCount: 0,
  subGroups,
})
const shop = group('shop', group('front', group('guests')), group('back'))
const other = group('other')
const viewer = { id: 'v', name: 'viewer' }
const editor = { id: 'e', name: 'editor' }
const roles = [viewer, editor]
const states = (chosen: ChosenGroup[]) =>
  [shop, ...shop.subGroups, other].map((each) => stateOfGroup(chosen, each, roles))

describe('the tree of groups and roles', () => {
  it('a ticked group ticks its roles and all below it, and clears them again', () => {
    const all = setGroup([], shop, roles, true)
    expect(all.map(({ id, resourceRoles }) => [id, resourceRoles.length])).toEqual([
      ['shop', 2],
      ['front', 2],
      ['guests', 2],
      ['back', 2],
    ])
    expect(states(all)).toEqual(['all', 'all', 'all', 'none'])
    expect(setGroup(all, shop, roles, false)).toEqual([])
  })

  it('a role deep below makes everything above it partly ticked', () => {
    const guests = group('guests')
    const one = setRole([], guests, roles, viewer, true)
    expect(one).toEqual([{ id: 'guests', name: 'guests', resourceRoles: [viewer] }])
    expect(states(one)).toEqual(['some', 'some', 'none', 'none'])
    expect(setRole(one, guests, roles, viewer, false)).toEqual([])
  })

  it('taking the last piece away from a ticked group leaves it partly ticked', () => {
    const all = setGroup([], shop, roles, true)
    expect(states(setRole(all, group('guests'), roles, editor, false))).toEqual(['some', 'some', 'all', 'none'])
    expect(states(setGroup(all, group('back'), roles, false))).toEqual(['some', 'all', 'none', 'none'])
  })

  it('an app without roles has nothing to tick', () => {
    expect(setGroup([], shop, [], true)).toEqual([])
    expect(stateOfGroup([], shop, [])).toBe('none')
  })

  it('each role ticked on its own comes to the same as the group at once, in any order', () => {
    const pieces = ['shop', 'front', 'guests', 'back'].flatMap((id) => roles.map((role) => ({ id, role })))
    fc.assert(
      fc.property(fc.shuffledSubarray(pieces, { minLength: pieces.length }), (order) => {
        const chosen = order.reduce<ChosenGroup[]>(
          (now, { id, role }) => setRole(now, group(id), roles, role, true),
          [],
        )
        expect(stateOfGroup(chosen, shop, roles)).toBe('all')
        expect(new Set(chosen.map(({ id }) => id)).size).toBe(4)
      }),
    )
  })

  it('finds groups by name, with those above them, and roles by theirs', () => {
    expect(matchingGroups([shop, other], roles, ' GUEST ')).toMatchObject([
      { id: 'shop', subGroups: [{ id: 'front' }] },
    ])
    expect(matchingGroups([shop, other], roles, 'view')).toEqual([shop, other])
    expect(matchingGroups([shop, other], roles, 'zzz')).toEqual([])
    expect(withSubgroups([shop, other]).map(({ id }) => id)).toEqual(['shop', 'front', 'guests', 'back', 'other'])
  })
})
