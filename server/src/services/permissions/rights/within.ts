import { type SqlBool, sql } from 'kysely'
import type { Holder } from '../../../platform/auth/actor.ts'
import type { Within } from '../../../platform/auth/personal-tokens/personal-token.ts'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import type { GrantInSpace } from './rights-store.ts'

/** Tells whether a thing lies where the caller is kept; nothing that lies in no space does. */
export const isWithin = ({ within }: Holder, spaceId: string | null) =>
  within === undefined || (spaceId !== null && within.spaceIds.has(spaceId))

/** Grants in the spaces that the caller is kept within. */
export const grantsWithin = (actor: Holder, grants: GrantInSpace[]) =>
  actor.within ? grants.filter(({ spaceId }) => isWithin(actor, spaceId)) : grants

/** Keeps rows of those spaces; `column` holds the id of the space. */
export const isAmong = ({ spaceIds }: Within, column: string) =>
  sql<SqlBool>`${sql.ref(column)} = any(${[...spaceIds]}::text[])`

/** The same, and those alone that a condition keeps as well. */
export function keptWithin(within: Within, listed: SpaceCondition | undefined): SpaceCondition {
  return (column) =>
    listed ? sql<SqlBool>`(${isAmong(within, column)} and ${listed(column)})` : isAmong(within, column)
}
