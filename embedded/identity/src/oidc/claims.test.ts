import { describe, expect, test } from 'vitest'
import { builtinScopes } from '../directory/builtin-scopes.ts'
import type { ClientScope } from '../directory/client-scopes.ts'
import type { Client } from '../directory/clients.ts'
import type { User } from '../directory/users.ts'
import { accessClaims } from './claims.ts'

const user = {
  id: 'u1',
  username: 'mara',
  email: null,
  email_verified: false,
  first_name: 'Mara',
  last_name: null,
  attributes: { currency: ['EUR'], site: ['north', 'south'] },
} as unknown as User

const client = (protocolMappers: object[] = []) =>
  ({ id: 'c1', client_id: 'portal', settings: { protocolMappers } }) as unknown as Client
const scope = (name: string) => ({ id: name, name, mappers: builtinScopes.get(name) ?? [] }) as ClientScope
const role = (name: string, owner: string | null) => ({ id: name, name, client: owner })

describe('claims of an access token', () => {
  test('roles stand where Keycloak puts them, and every client of a role is an audience except the asking one', () => {
    const claims = accessClaims(client(), user, {
      scopes: [scope('roles')],
      roles: [role('admin', null), role('view', 'shop.web'), role('access', 'portal')],
    })
    expect(claims).toMatchObject({
      realm_access: { roles: ['admin'] },
      resource_access: { 'shop.web': { roles: ['view'] }, portal: { roles: ['access'] } },
      aud: ['shop.web'],
      name: 'Mara',
      currency: 'EUR',
    })
    expect(claims).not.toHaveProperty('email')
    expect(claims).not.toHaveProperty('family_name')
  })

  test('no mapper of a client makes its token that of somebody else', () => {
    const as = (claim: string) => ({
      protocolMapper: 'oidc-hardcoded-claim-mapper',
      config: { 'claim.name': claim, 'claim.value': 'u2' },
    })
    const claims = accessClaims(client([as('user_id'), as('sub')]), user, { scopes: [], roles: [] })
    expect(claims).toMatchObject({ user_id: 'u1', sub: 'u1' })
  })

  test.each(['sid', 'grant', 'azp', 'typ', 'exp', 'authorization.permissions'])('no mapper says %s', (claim) => {
    const mapper = {
      protocolMapper: 'oidc-usermodel-attribute-mapper',
      config: { 'user.attribute': 'site', 'claim.name': claim, multivalued: 'true' },
    }
    const claims = accessClaims(client([mapper]), user, { scopes: [], roles: [] })
    expect(Object.keys(claims)).not.toContain(claim.split('.')[0])
  })

  test('a client’s mappers add claims and audiences', () => {
    const mappers = [
      { protocolMapper: 'oidc-audience-mapper', config: { 'included.custom.audience': 'billing' } },
      {
        protocolMapper: 'oidc-usermodel-attribute-mapper',
        config: { 'user.attribute': 'site', 'claim.name': 'place.sites', multivalued: 'true' },
      },
      {
        protocolMapper: 'oidc-usermodel-property-mapper',
        config: { 'user.attribute': 'username', 'claim.name': 'login' },
      },
      { protocolMapper: 'oidc-hardcoded-claim-mapper', config: { 'claim.name': 'tier', 'claim.value': 'gold' } },
      {
        protocolMapper: 'oidc-hardcoded-claim-mapper',
        config: { 'claim.name': 'hidden', 'claim.value': 'x', 'access.token.claim': 'false' },
      },
      {
        protocolMapper: 'oidc-hardcoded-claim-mapper',
        config: { 'claim.name': '__proto__.polluted', 'claim.value': 'x' },
      },
    ]
    const claims = accessClaims(client(mappers), user, { scopes: [], roles: [role('admin', null)] })
    expect(claims).toMatchObject({ place: { sites: ['north', 'south'] }, login: 'mara', tier: 'gold' })
    expect(claims.aud).toEqual(['billing'])
    expect(claims).not.toHaveProperty('realm_access')
    expect(claims).not.toHaveProperty('hidden')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
