import { describe, expect, it } from 'vitest'
import { meetsRoles } from './abilities.ts'
import type { AccessToken } from './access-token.ts'

const token: AccessToken = {
  userId: 'u',
  expiryTimestamp: 0,
  email: '',
  username: 'u',
  firstName: '',
  lastName: '',
  homescreen: '',
  currency: '',
  realmAccess: [{ name: 'operator' }],
  resourceAccess: { ui: [{ name: 'apps.create' }], apps: [{ name: 'access' }] },
}

describe('role check', () => {
  it.each([
    ['nothing is asked', undefined, true],
    ['an empty requirement', {}, true],
    ['a held realm role', { realmRoles: ['operator'], resourceRoles: ['x'] }, true],
    ['a role under the named client', { resourceRoles: ['access'], clientId: 'apps' }, true],
    ['a role held under another client', { resourceRoles: ['apps.create'], clientId: 'apps' }, false],
    ["a role under the UI's own client", { resourceRoles: ['apps.create'] }, true],
    ['an empty list of roles', { realmRoles: [] }, false],
    ['an unknown client', { resourceRoles: ['access'], clientId: 'nowhere' }, false],
  ] as const)('%s', (_name, required, allowed) => {
    expect(meetsRoles(token, required, 'ui')).toBe(allowed)
  })
})
