import type { ListQuery, ListReply } from '@quayside/contract/paging'
import type { PermissionEvent } from '@quayside/contract/permissions'
import { sql } from 'kysely'
import type { Db } from '../../kernel/db.ts'
import { likePattern, listReply } from '../../kernel/listing.ts'
import { principalOf } from './principals.ts'
import type { PermissionEventRow, Tables } from './tables.ts'

/** Changes to the permissions of a space, newest first. */
export async function findHistory(
  db: Db,
  tenantId: string,
  spaceId: string,
  query: ListQuery,
  path: string,
): Promise<ListReply<PermissionEvent>> {
  const { rows, total } = await db.tenant<Tables, { rows: PermissionEventRow[]; total: number }>(
    tenantId,
    async (trx) => {
      let found = trx.selectFrom('permission_event').where('space_id', '=', spaceId)
      if (query.search) {
        const pattern = likePattern(query.search)
        found = found.where((where) =>
          where.or([
            where('principal_name', 'ilike', pattern),
            where('by_name', 'ilike', pattern),
            where('role', 'ilike', pattern),
          ]),
        )
      }
      const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
      const page = found.selectAll().orderBy('id', 'desc').limit(query.page.limit).offset(query.page.skip)
      return { rows: await page.execute(), total }
    },
  )
  return listReply(rows.map(toEvent), total, query, path)
}

function toEvent(row: PermissionEventRow): PermissionEvent {
  return {
    id: row.id,
    at: row.at.toISOString(),
    by: row.by_name,
    what: row.what as PermissionEvent['what'],
    principal: { ...principalOf(row.principal), name: row.principal_name },
    role: row.role,
    owner: row.owner,
    expiresAt: row.expires_at?.toISOString() ?? null,
    note: row.note,
  }
}
