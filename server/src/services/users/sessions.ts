import { role } from '@quayside/contract/http/policy'
import type { Consent, UserSession } from '@quayside/contract/users/credentials'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { toConsent, toSession } from '../../adapters/keycloak/representations.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { People } from '../permissions/index.ts'
import type { Users } from './index.ts'

/** Where a user is signed in, and to which clients they have consented. */
export function createUserSessions(keycloak: Keycloak, users: Pick<Users, 'represented'>, people: People) {
  return {
    async list({ realm }: Actor, id: string): Promise<UserSession[]> {
      await users.represented(realm, id)
      const found = await keycloak.run((kc) => kc.users.listSessions({ realm, id }))
      return found.map(toSession)
    },

    async end(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      const right = role('iam-users', 'users.edit')
      await people.change(actor, { right, kind: 'takes', about: id }, async (judged) => {
        await judged.mustNotBeBelow(id)
        await keycloak
          .run((kc) => kc.users.logout({ realm, id }))
          .catch((error: unknown) => {
            throw refusalOf(error)
          })
      })
    },

    async consents({ realm }: Actor, id: string): Promise<Consent[]> {
      await users.represented(realm, id)
      const found = await keycloak.run((kc) => kc.users.listConsents({ realm, id }))
      return found.map(toConsent)
    },
  }
}
export type UserSessions = ReturnType<typeof createUserSessions>
