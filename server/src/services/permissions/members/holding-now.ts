import { type Scope, scopesEverywhere } from '@quayside/contract/permissions/scopes'
import type { Actor } from '../../../platform/auth/actor.ts'
import { type Grantor, lastingRoles } from '../../../platform/auth/escalation.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Grantors } from '../rights/grantors.ts'
import type { Tables } from '../tables.ts'
import { grantsOf, type Trx } from './entry-store.ts'
import { type Holding, holdingOf, type TimedGrant } from './grant-rules.ts'
import { principalOf, principalsOf } from './principals.ts'

/** Scopes of the caller in a space until their ends; a role of the tenant may have one as well. */
export function holdingBy({ actor, ends }: Grantor, grants: readonly TimedGrant[]): Holding {
  const forAWhile = [...ends].map(([name, expiresAt]) => ({ scopes: scopesEverywhere([name]), expiresAt }))
  return holdingOf(scopesEverywhere(lastingRoles(actor.resourceRoles, ends)), grants, forAWhile)
}

/** Entries that mean the caller. One for a role that they hold for a while ends for them with that role. */
export async function grantsTo(trx: Trx, { actor, ends }: Grantor, spaceId: string): Promise<TimedGrant[]> {
  const found = await grantsOf(trx, spaceId, principalsOf(actor))
  return found.map(({ principal, ...grant }) => {
    const { type, id } = principalOf(principal)
    const end = type === 'role' ? ends.get(id) : undefined
    const isEarlier = end !== undefined && (grant.expiresAt === null || end < grant.expiresAt)
    return isEarlier ? { ...grant, expiresAt: end } : grant
  })
}

/** Tells whether somebody holds a scope without an end, as the identity server and the lists say at this moment. */
export function createHoldsForGood(db: Db, grantorNow: Grantors['grantorNow']) {
  /** @param spaceIds where they have to hold it; null: in every space, by a role of the tenant */
  return async (caller: Actor, spaceIds: readonly string[] | null, scope: Scope): Promise<boolean> => {
    const grantor = await grantorNow(caller)
    if (holdingBy(grantor, []).until.get(scope) === Number.POSITIVE_INFINITY) return true
    if (spaceIds === null) return false
    return db.tenant<Tables, boolean>(caller.tenantId, async (trx) => {
      for (const spaceId of spaceIds) {
        const { until } = holdingBy(grantor, await grantsTo(trx, grantor, spaceId))
        if (until.get(scope) !== Number.POSITIVE_INFINITY) return false
      }
      return true
    })
  }
}
