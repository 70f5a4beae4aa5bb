import type { Account } from '@quayside/contract/account/endpoints'
import { decodeJwt } from 'jose'
import { ignoreGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { orNotFound } from '../../adapters/keycloak/or-not-found.ts'
import { toSession } from '../../adapters/keycloak/representations.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'

/** `client:role` entries as a list of roles for each client. */
function byClient(resourceRoles: Iterable<string>): Record<string, string[]> {
  const grouped = Map.groupBy(resourceRoles, (entry) => entry.slice(0, entry.indexOf(':')))
  return Object.fromEntries(
    [...grouped].map(([client, entries]) => [client, entries.map((entry) => entry.slice(client.length + 1)).sort()]),
  )
}

export function createAccount(keycloak: Keycloak, forget: (userId: string) => void) {
  const asUser = (actor: Actor) => ({ realm: actor.realm, id: actor.userId })

  async function sessions(actor: Actor) {
    const current = actor.personalToken ? undefined : decodeJwt(actor.token).sid
    const found = await keycloak.run((kc) => kc.users.listSessions(asUser(actor)))
    return found.map((session) => ({
      ...toSession(session),
      current: session.id !== undefined && session.id === current,
    }))
  }

  return {
    async get(actor: Actor): Promise<Account> {
      const [user, groups] = await Promise.all([
        orNotFound(
          'iam.user-not-found',
          keycloak.run((kc) => kc.users.findOne(asUser(actor))),
        ),
        keycloak.run((kc) => kc.users.listGroups({ ...asUser(actor), max: 1000 })),
      ])
      return {
        id: actor.userId,
        username: user.username ?? actor.username,
        email: user.email ?? null,
        firstName: user.firstName ?? null,
        lastName: user.lastName ?? null,
        realm: actor.realm,
        realmRoles: [...actor.realmRoles].sort(),
        resourceRoles: byClient(actor.resourceRoles),
        groups: groups.map((group) => group.path ?? group.name ?? ''),
      }
    },

    sessions,

    async session(actor: Actor, id: string) {
      const found = (await sessions(actor)).find((session) => session.id === id)
      if (!found) throw fail('iam.session-not-found', { field: 'id' })
      return found
    },

    /** Only one of the caller's own: the identity server would end anybody's. */
    async endSession(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      if (!(await sessions(actor)).some((session) => session.id === id))
        throw fail('iam.session-not-found', { field: 'id' })
      await keycloak.run((kc) => kc.realms.removeSession({ realm, sessionId: id })).catch(ignoreGone)
      forget(actor.userId)
    },

    /** Ends every session of the caller, on every device. */
    async logout(actor: Actor): Promise<void> {
      await keycloak.run((kc) => kc.users.logout(asUser(actor)))
      forget(actor.userId)
    },
  }
}
export type PersonalAccount = ReturnType<typeof createAccount>
