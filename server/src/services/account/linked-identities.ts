import type { LinkedIdentity } from '@quayside/contract/users/credentials'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { linkedIdentitiesOf, mustKeepAWayIn, removeLink } from '../../adapters/keycloak/sign-in/ways-in.ts'
import { actingFor } from '../../platform/auth/acting-for.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { grantsOf } from '../../platform/auth/escalation.ts'
import type { Exclusive } from '../../platform/db/exclusive.ts'
import { fail } from '../../platform/http/errors.ts'

/** Identity providers by which somebody can sign in to their account. */
export function createLinkedIdentities(keycloak: Keycloak, exclusive: Exclusive) {
  return {
    list: ({ realm, userId: id }: Actor): Promise<LinkedIdentity[]> => linkedIdentitiesOf(keycloak, { realm, id }),

    async unlink(actor: Actor, provider: string): Promise<void> {
      const { realm, userId: id } = actor
      await exclusive(grantsOf(realm), async () => {
        const links = await linkedIdentitiesOf(keycloak, { realm, id })
        if (!links.some((link) => link.id === provider)) throw fail('iam.link-not-found', { field: 'id' })
        await mustKeepAWayIn(keycloak, actor, provider)
        if (!(await actingFor(actor, () => removeLink(keycloak, { realm, id }, provider))))
          throw fail('iam.link-not-found', { field: 'id' })
      })
    },
  }
}
export type LinkedIdentities = ReturnType<typeof createLinkedIdentities>
