import type { Account } from '@quayside/contract/account/endpoints'
import { decodeJwt } from 'jose'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { orNotFound } from '../../adapters/keycloak/or-not-found.ts'
import type { Actor } from '../../platform/auth/actor.ts'

/** `client:role` entries as a list of roles for each client. */
function byClient(resourceRoles: Iterable<string>): Record<string, string[]> {
  const grouped = Map.groupBy(resourceRoles, (entry) => entry.slice(0, entry.indexOf(':')))
  return Object.fromEntries(
    [...grouped].map(([client, entries]) => [client, entries.map((entry) => entry.slice(client.length + 1)).sort()]),
  )
}

export function createAccount(keycloak: Keycloak, forget: (userId: string) => void) {
  const asUser = (actor: Actor) => ({ realm: actor.realm, id: actor.userId })

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

    async sessions(actor: Actor) {
      const current = decodeJwt(actor.token).sid
      const sessions = await keycloak.run((kc) => kc.users.listSessions(asUser(actor)))
      return sessions.map((session) => ({
        id: session.id ?? '',
        ipAddress: session.ipAddress || null,
        startedAt: new Date(session.start ?? 0).toISOString(),
        lastAccessAt: new Date(session.lastAccess ?? 0).toISOString(),
        clients: Object.values(session.clients ?? {}).map(String),
        current: session.id !== undefined && session.id === current,
      }))
    },

    /** Ends every session of the caller, on every device. */
    async logout(actor: Actor): Promise<void> {
      await keycloak.run((kc) => kc.users.logout(asUser(actor)))
      forget(actor.userId)
    },
  }
}
export type PersonalAccount = ReturnType<typeof createAccount>
