import { expect, it } from 'vitest'
import { firstBeyond } from './beyond.ts'

const manages = 'quayside-portal-ui-spaces:spaces.manage'
const sees = 'quayside-portal-ui-iam-users:users.view'
const holding = (...resourceRoles: string[]) => ({
  realmRoles: new Set(['crew']),
  resourceRoles: new Set(resourceRoles),
})

it.each([
  ['nothing', [], [], undefined],
  ['a role that both hold', [], ['crew'], undefined],
  ['what everybody has', [], ['default-roles-demo', 'offline_access', 'account:view-profile'], undefined],
  ['a role of the realm', [], ['crew', 'captain'], 'captain'],
  ['a role of the realm, to who manages spaces', [manages], ['captain'], undefined],
  ['a role of an app', [], ['grafana-8kx2:editor'], 'grafana-8kx2:editor'],
  ['a role of an app, to who manages spaces', [manages], ['grafana-8kx2:editor'], undefined],
  ['a right in the portal, to who manages spaces', [manages], [sees], sees],
  [
    'a right over the realm, to who manages spaces',
    [manages],
    ['realm-management:manage-users'],
    'realm-management:manage-users',
  ],
  ['a role called as a scope that they have', [manages], ['space.edit', 'quayside-api:space.delete'], undefined],
  ['a role called as one that they lack', [manages], ['space.deploy'], 'space.deploy'],
  ['the same of our own client', [manages], ['quayside-api:app.secrets'], 'quayside-api:app.secrets'],
  ['a role of a client that is called as the role of everybody', [], ['default-roles-x:boss'], 'default-roles-x:boss'],
] as const)('%s', (_, resourceRoles, names, beyond) => {
  expect(firstBeyond(holding(...resourceRoles), names)).toBe(beyond)
})

it('a role of the realm is none of a client that is called alike', () => {
  expect(firstBeyond({ realmRoles: new Set([sees]), resourceRoles: new Set() }, [sees])).toBe(sees)
})
