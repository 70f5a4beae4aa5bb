import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Keycloak } from './keycloak.ts'
import { serviceAccountOf } from './representations.ts'

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
