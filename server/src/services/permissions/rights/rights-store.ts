import { ownerScopes, type Scope } from '@quayside/contract/permissions/scopes'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PlaceRow } from '../../../platform/auth/places.ts'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'
import { builtInWith, type Grant } from './grants.ts'

/** Entries that have ended count for nothing, also before they are swept. */
const holds = (principals: readonly string[]) =>
  sql<SqlBool>`p.principal = any(${principals}::text[]) and (p.expires_at is null or p.expires_at > now())`

/** For rows of spaces in which any of the principals holds the scope by the space's list. */
export function listedWith(principals: readonly string[], scope: Scope): SpaceCondition {
  const byOwner = ownerScopes.includes(scope) ? sql`or p.owner` : sql``
  return (column) => sql<SqlBool>`${sql.ref(column)} in (
    select p.space_id from space_permission p left join space_role r on r.id = p.role
    where ${holds(principals)}
    and (p.role = any(${builtInWith(scope)}::text[]) or ${scope} = any(r.scopes) ${byOwner}))`
}

/** The grants of the principals in the space whose id is in `column`. */
export function grantsIn(principals: readonly string[], column: string): RawBuilder<Grant[]> {
  return sql<
    Grant[]
  >`(select coalesce(json_agg(json_build_object('role', p.role, 'scopes', r.scopes, 'owner', p.owner)), '[]')
    from space_permission p left join space_role r on r.id = p.role
    where p.space_id = ${sql.ref(column)} and ${holds(principals)})`
}

export type GrantInSpace = Grant & { spaceId: string; expiresAt: Date | null }

export function createRightsStore(db: Db) {
  return {
    /** Things by their ids, each with what the principals were given where it is. */
    places(
      tenantId: string,
      query: RawBuilder<PlaceRow>,
      principals: readonly string[],
    ): Promise<(PlaceRow & { grants: Grant[] })[]> {
      return db.tenantOne<Tables, (PlaceRow & { grants: Grant[] })[]>(tenantId, async (trx) => {
        const found = await sql<
          PlaceRow & { grants: Grant[] }
        >`select place.*, ${grantsIn(principals, 'place.space_id')} as grants
          from (${query}) as place`.execute(trx)
        return found.rows
      })
    },

    /** The spaces of these that there are. */
    existing(tenantId: string, ids: readonly string[]): Promise<string[]> {
      return db.tenantOne<Tables, string[]>(tenantId, async (trx) => {
        const found = await sql<{ id: string }>`select id from spaces where id = any(${[...ids]}::text[])`.execute(trx)
        return found.rows.map(({ id }) => id)
      })
    },

    /** Everything that the principals were given, in whichever space of the tenant. */
    all(tenantId: string, principals: readonly string[]): Promise<GrantInSpace[]> {
      return db.tenantOne<Tables, GrantInSpace[]>(tenantId, async (trx) => {
        const found =
          await sql<GrantInSpace>`select p.space_id as "spaceId", p.role, p.owner, p.expires_at as "expiresAt", r.scopes
          from space_permission p left join space_role r on r.id = p.role where ${holds(principals)}`.execute(trx)
        return found.rows
      })
    },
  }
}
export type RightsStore = ReturnType<typeof createRightsStore>
