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
  /** Roles that somebody holds for a while, by their names; roles of clients as `client:role`. */
  async function endingRoles({ realm, tenantId, userId }: Person): Promise<ReadonlyMap<string, Date>> {
    const given = await db.tenant<Tables, Map<string, Date>>(tenantId, (trx) => timedRoles(trx, userId))
    // Most people hold none, and nobody has to be asked about them.
    if (given.size === 0) return given
    return endsOfRoles((await standing(realm, userId))?.roles ?? [], given)
  }

  return {
    endingRoles,
    async grantorNow({ token }: Pick<Actor, 'token'>): Promise<Grantor> {
      const actor = await actorNow(token)
      return { actor, ends: await endingRoles(actor) }
    },
  }
}
export type Grantors = ReturnType<typeof createGrantors>
