import type { LinkedIdentity } from '@quayside/contract/users/credentials'
import type { Actor } from '../../../platform/auth/actor.ts'
import { fail } from '../../../platform/http/errors.ts'
import { isGone } from '../gone.ts'
import type { Keycloak } from '../keycloak.ts'
import { refusalOf } from '../refusal.ts'
import { serviceAccountOf } from '../representations.ts'

/** Keycloak's word for a key that signs somebody in without a password. */
export const passkeyType = 'webauthn-passwordless'

/** Credentials by which somebody signs in without a provider. */
const own = ['password', passkeyType]

/**
 * Somebody who takes a provider away signs in without it: an administrator can do so afterwards, whom nobody has to let in.
 * @throws `iam.only-way-in`
 */
export async function mustKeepAWayIn(keycloak: Keycloak, { realm, userId: id }: Actor, alias: string): Promise<void> {
  const person = await keycloak.run((kc) => kc.users.findOne({ realm, id }))
  if (!person || serviceAccountOf(person) !== null) return
  const credentials = await keycloak.run((kc) => kc.users.getCredentials({ realm, id }))
  if (credentials.some(({ type }) => own.includes(type ?? ''))) return
  const links = await keycloak.run((kc) => kc.users.listFederatedIdentities({ realm, id }))
  const others = links.filter(({ identityProvider }) => identityProvider !== alias)
  if (others.length > 0) {
    const providers = await keycloak.run((kc) => kc.identityProviders.find({ realm }))
    const usable = new Set(providers.flatMap((one) => (one.enabled === false ? [] : [one.alias])))
    if (others.some(({ identityProvider }) => usable.has(identityProvider))) return
  }
  throw fail('iam.only-way-in')
}

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

/** Removes passkeys and provider links, so that nobody keeps a way in that the owner does not know of. */
export async function endOtherWaysIn(keycloak: Keycloak, { realm, id }: Person): Promise<void> {
  const known = await keycloak.run((kc) => kc.users.getCredentials({ realm, id }))
  for (const { id: credentialId = '' } of known.filter(({ type }) => type === passkeyType))
    await keycloak
      .run((kc) => kc.users.deleteCredential({ realm, id, credentialId }))
      .catch((error: unknown) => {
        if (!isGone(error)) throw refusalOf(error)
      })
  for (const link of await linkedIdentitiesOf(keycloak, { realm, id }))
    await removeLink(keycloak, { realm, id }, link.id)
}
