import type { LinkedIdentity } from '@quayside/contract/account/endpoints'
import { isGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { mustKeepAWayIn } from '../../adapters/keycloak/ways-in.ts'
import { actingFor } from '../../platform/auth/acting-for.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { grantsOf } from '../../platform/auth/escalation.ts'
import type { Exclusive } from '../../platform/db/exclusive.ts'
import { fail } from '../../platform/http/errors.ts'

/** Identity providers by which somebody can sign in to their account. */
export function createLinkedIdentities(keycloak: Keycloak, exclusive: Exclusive) {
  const linksOf = ({ realm, userId: id }: Actor) =>
    keycloak.run((kc) => kc.users.listFederatedIdentities({ realm, id }))

  return {
    async list(actor: Actor): Promise<LinkedIdentity[]> {
      const links = await linksOf(actor)
      if (links.length === 0) return []
      const providers = await keycloak.run((kc) => kc.identityProviders.find({ realm: actor.realm }))
      const names = new Map(providers.map(({ alias = '', displayName }) => [alias, displayName || alias]))
      return links.map(({ identityProvider = '', userName = '' }) => ({
        id: identityProvider,
        name: names.get(identityProvider) ?? identityProvider,
        username: userName,
      }))
    },

    async unlink(actor: Actor, id: string): Promise<void> {
      const missing = (cause?: unknown) => fail('iam.link-not-found', { field: 'id', cause })
      await exclusive(grantsOf(actor.realm), async () => {
        if (!(await linksOf(actor)).some(({ identityProvider }) => identityProvider === id)) throw missing()
        await mustKeepAWayIn(keycloak, actor, id)
        const link = { realm: actor.realm, id: actor.userId, federatedIdentityId: id }
        await actingFor(actor, () => keycloak.run((kc) => kc.users.delFromFederatedIdentity(link))).catch(
          (error: unknown) => {
            throw isGone(error) ? missing(error) : error
          },
        )
      })
    },
  }
}
export type LinkedIdentities = ReturnType<typeof createLinkedIdentities>
