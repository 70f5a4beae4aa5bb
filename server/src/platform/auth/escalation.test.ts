import { describe, expect, test } from 'vitest'
import { mayGrant } from './escalation.ts'

const operator = {
  realmRoles: new Set(['quayside-operator']),
  resourceRoles: new Set(['apps:access', 'apps:apps.create', 'catalog:view']),
}

describe('nobody grants more than they hold', () => {
  test('a role that is held', () => {
    expect(mayGrant(operator, { name: 'quayside-operator', realmRoles: [], resourceRoles: ['apps:access'] })).toBe(true)
  })
  test('a smaller role of the portal, all of whose parts are held', () => {
    expect(
      mayGrant(operator, { name: 'quayside-viewer', realmRoles: [], resourceRoles: ['apps:access', 'catalog:view'] }),
    ).toBe(true)
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
  test('not a role of the tenant that is not held: lists and approvals may name it', () => {
    expect(mayGrant(operator, { name: 'crew', realmRoles: [], resourceRoles: ['apps:access'] })).toBe(false)
  })
  test('not an empty role that is not held: its name may be trusted elsewhere', () => {
    expect(mayGrant(operator, { name: 'auditor', realmRoles: [], resourceRoles: [] })).toBe(false)
  })
})
