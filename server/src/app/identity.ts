import { createApiClients } from '../adapters/keycloak/api-client.ts'
import { signInClients } from '../adapters/keycloak/realm/portal-clients.ts'
import { createRealmSetup } from '../adapters/keycloak/realm/prepare-realm.ts'
import { createAuth } from '../platform/auth/auth.ts'
import { type Party, partyScopes } from '../platform/auth/party.ts'
import { createStanding } from '../platform/auth/standing.ts'
import { createDirectory } from '../services/directory/index.ts'
import { createTokensInUse } from '../services/personal-tokens/in-use.ts'
import type { Tenants } from '../services/tenants/index.ts'
import type { Foundation } from './foundation.ts'

/** Decides who somebody is: tokens become people of a tenant, by what the identity server says of them now. */
export function createIdentity({ config, log, db, keycloak, tenants }: Foundation & { tenants: Tenants }) {
  const apiClients = createApiClients(keycloak)
  const directory = createDirectory({ keycloak, apiClients, keycloakUrl: config.keycloak.url })
  const standing = createStanding(directory.reads)
  const trusts = (clientId: string) => signInClients.has(clientId) || config.trustedClients.has(clientId)
  const tokensInUse = createTokensInUse(db, log)
  const auth = createAuth(
    { ...config.keycloak, trusts },
    { tenantOfRealm: tenants.ofRealm, standing, personalTokens: tokensInUse },
  )
  /** A script has nobody to trade a ticket for it. */
  const takesTickets = (clientId: string) => config.enableUma === 'true' && signInClients.has(clientId)
  const party: Party = {
    async ticketFor({ realm, clientId }, spaceId, scope) {
      return takesTickets(clientId) ? directory.tickets.ticketFor(realm, spaceId, scope) : undefined
    },
    scopesOf: async (actor, token) =>
      takesTickets(actor.clientId) ? partyScopes(await auth.permissionsOf(actor, token)) : new Map(),
  }
  return {
    directory,
    standing,
    tokensInUse,
    auth,
    party,
    realmSetup: createRealmSetup({ keycloak, config, log }, apiClients),
  }
}
export type Identity = ReturnType<typeof createIdentity>
