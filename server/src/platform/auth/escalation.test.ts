import { type RoleRef, roleName } from '@quayside/contract/permissions/roles'
import { describe, expect, test } from 'vitest'
import { holdsContent, mayGrant } from './escalation.ts'

const operator = {
  realmRoles: new Set(['quayside-operator']),
  resourceRoles: new Set(['apps:access', 'apps:apps.create', 'catalog:view']),
}

const managesLists = { section: 'spaces', role: 'spaces.manage' } satisfies RoleRef

describe('nobody grants more than they hold', () => {
  test('a role that is held', () => {
    expect(mayGrant(operator, { name: 'quayside-operator', realmRoles: [], resourceRoles: ['apps:access'] })).toBe(true)
  })
  test('a role of a client that is held', () => {
    expect(mayGrant(operator, { realmRoles: [], resourceRoles: ['apps:access', 'catalog:view'] })).toBe(true)
  })
  test('a role that is not held, but whose parts are, for who decides about every list', () => {
    const keeper = { ...operator, resourceRoles: new Set([...operator.resourceRoles, roleName(managesLists)]) }
    const crew = { name: 'crew', realmRoles: [], resourceRoles: ['apps:access', 'catalog:view'] }
    expect([mayGrant(operator, crew), mayGrant(keeper, crew)]).toEqual([false, true])
    expect(mayGrant(keeper, { name: 'auditor', realmRoles: [], resourceRoles: [] })).toBe(false)
  })
  test('not a role with one part more', () => {
    expect(
      mayGrant(operator, { name: 'admin', realmRoles: [], resourceRoles: ['apps:access', 'iam:users.create'] }),
    ).toBe(false)
  })
  test('not a held role that has grown beyond what is held', () => {
    expect(mayGrant(operator, { name: 'quayside-operator', realmRoles: [], resourceRoles: ['iam:users.create'] })).toBe(
      false,
    )
  })
  test('not a role that contains a realm role which is not held', () => {
    expect(mayGrant(operator, { name: 'x', realmRoles: ['quayside-admin'], resourceRoles: [] })).toBe(false)
  })
  test('not an empty role that is not held: its name may be trusted elsewhere', () => {
    expect(mayGrant(operator, { name: 'auditor', realmRoles: [], resourceRoles: [] })).toBe(false)
  })
})

test('what is in a role is held or not, whatever its name', () => {
  expect(holdsContent(operator, { name: 'crew', realmRoles: ['quayside-operator'], resourceRoles: [] })).toBe(true)
  expect(holdsContent(operator, { name: 'crew', realmRoles: ['crew'], resourceRoles: [] })).toBe(false)
  expect(holdsContent(operator, { name: 'crew', realmRoles: [], resourceRoles: [] })).toBe(false)
})
