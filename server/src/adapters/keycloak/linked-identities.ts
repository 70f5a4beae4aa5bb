import type { LinkedIdentity } from '@quayside/contract/users/credentials'
import { isGone } from './gone.ts'
import type { Keycloak } from './keycloak.ts'

interface Person {
  realm: string
  id: string
}

/** Identity providers by which somebody can sign in, by the names that people know. */
export async function linkedIdentitiesOf(keycloak: Keycloak, { realm, id }: Person): Promise<LinkedIdentity[]> {
  const links = await keycloak.run((kc) => kc.users.listFederatedIdentities({ realm, id }))
  if (links.length === 0) return []
  const providers = await keycloak.run((kc) => kc.identityProviders.find({ realm }))
  const names = new Map(providers.map(({ alias = '', displayName }) => [alias, displayName || alias]))
  return links.map(({ identityProvider = '', userName = '' }) => ({
    id: identityProvider,
    name: names.get(identityProvider) ?? identityProvider,
    username: userName,
  }))
}

/** Takes a link away. Gives false where there is none. */
export async function removeLink(keycloak: Keycloak, { realm, id }: Person, alias: string): Promise<boolean> {
  const links = await keycloak.run((kc) => kc.users.listFederatedIdentities({ realm, id }))
  if (!links.some(({ identityProvider }) => identityProvider === alias)) return false
  try {
    await keycloak.run((kc) => kc.users.delFromFederatedIdentity({ realm, id, federatedIdentityId: alias }))
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
  return true
}
