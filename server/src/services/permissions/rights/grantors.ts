import type { Actor } from '../../../platform/auth/actor.ts'
import type { Grantor } from '../../../platform/auth/escalation.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Standing } from '../../directory/index.ts'
import { timedRoles } from '../requests/role-grant-store.ts'
import type { Tables } from '../tables.ts'
import { endsOfRoles } from './ends-of-roles.ts'

interface GrantorsDeps {
  db: Db
  /** The caller as the identity server knows them at this moment. */
  actorNow(token: string): Promise<Actor>
  standing(realm: string, userId: string): Promise<Standing | undefined>
}

interface Person {
  realm: string
  tenantId: string
  userId: string
}

/** Callers who hand something out: what they hold at that moment, by the directory, and until when. */
export function createGrantors({ db, actorNow, standing }: GrantorsDeps) {
  const givenTo = ({ tenantId, userId }: Pick<Person, 'tenantId' | 'userId'>) =>
    db.tenant<Tables, Map<string, Date>>(tenantId, (trx) => timedRoles(trx, userId))

  return {
    /** Roles that somebody holds for a while, by their names; roles of clients as `client:role`. */
    async endingRoles({ realm, ...person }: Person): Promise<ReadonlyMap<string, Date>> {
      const given = await givenTo(person)
      // Most people hold none, and nobody has to be asked about them.
      return given.size === 0 ? given : endsOfRoles((await standing(realm, person.userId))?.roles ?? [], given)
    },

    async grantorNow(caller: Actor): Promise<Grantor> {
      const before = await givenTo(caller)
      const actor = await actorNow(caller.token)
      // A role that has just come, or is just being taken back, is one for a while as well.
      const given = new Map([...before, ...(await givenTo(caller))])
      if (given.size === 0) return { actor, ends: given }
      const roles = (await standing(actor.realm, actor.userId))?.roles ?? []
      const isHeld = new Set(roles.map(({ id }) => id))
      const [realmRoles, resourceRoles] = [actor.realmRoles, actor.resourceRoles].map(
        (held) => new Set([...held].filter((name) => isHeld.has(name))),
      ) as [Set<string>, Set<string>]
      return { actor: { ...actor, realmRoles, resourceRoles }, ends: endsOfRoles(roles, given) }
    },
  }
}
export type Grantors = ReturnType<typeof createGrantors>
