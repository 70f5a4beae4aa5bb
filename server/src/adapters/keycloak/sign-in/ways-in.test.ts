import { expect, it } from 'vitest'
import { type Keycloak, KeycloakRefused } from '../keycloak.ts'
import { endOtherWaysIn, passkeyType } from './ways-in.ts'

it('a passkey that somebody else has removed meanwhile keeps no link of a provider alive', async () => {
  const unlinked: string[] = []
  const users = {
    getCredentials: async () => [
      { id: 'p1', type: 'password' },
      ...['k1', 'k2'].map((id) => ({ id, type: passkeyType })),
    ],
    deleteCredential: () => Promise.reject(new KeycloakRefused(404, 'Credential not found', undefined)),
    listFederatedIdentities: async () => [{ identityProvider: 'harbour', userName: 'olga' }],
    delFromFederatedIdentity: async ({ federatedIdentityId }: { federatedIdentityId: string }) =>
      void unlinked.push(federatedIdentityId),
  }
  const client = { users, identityProviders: { find: async () => [] } }
  const keycloak = { run: (work: (kc: typeof client) => unknown) => work(client) } as unknown as Keycloak
  await endOtherWaysIn(keycloak, { realm: 'demo', id: 'u1' })
  expect(unlinked).toEqual(['harbour'])
})
