import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { PermissionEvent } from '@quayside/contract/permissions/endpoints'
import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import { sql } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Db } from '../../../platform/db/db.ts'
import { likePattern, listReply, mustKnowFilters, mustNotSort } from '../../../platform/http/listing.ts'
import type { PermissionEventRow, Tables } from '../tables.ts'
import { type Given, type Names, type PrincipalName, whenAway } from './names.ts'
import { principalOf } from './principals.ts'

/** Changes to the permissions of a space, newest first. */
export async function findHistory(
  db: Db,
  names: Names,
  { tenantId, realm }: Pick<Actor, 'tenantId' | 'realm'>,
  spaceId: string,
  query: ListQuery,
  path: string,
): Promise<ListReply<PermissionEvent>> {
  mustKnowFilters(query.filters, [])
  mustNotSort(query.sort)
  const people = query.search ? await idsOf(names, realm, query.search) : []
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
            where('by_id', 'in', [...people, '']),
            where('principal', 'in', people.map((id) => `user:${id}`).concat('')),
          ]),
        )
      }
      const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
      const page = found.selectAll().orderBy('id', 'desc').limit(query.page.limit).offset(query.page.skip)
      return { rows: await page.execute(), total }
    },
  )
  const about = rows.map(({ principal, principal_name: name }) => ({ ...principalOf(principal), name, detail: null }))
  const [called, by] = await Promise.all([
    names.ofAll(realm, about),
    names.people(
      realm,
      rows.map(({ by_id: id, by_name: name }) => ({ id, name: name ?? '' })),
    ),
  ])
  const events = rows.map((row, at) => toEvent(row, called[at] as NamedPrincipal, by))
  return listReply(events, total, query, path)
}

const mostPeople = 50

/** People who are called so now, none while the identity server is away: lines may hold other names. */
async function idsOf(names: Names, realm: string, search: string): Promise<string[]> {
  const found = await names.search(realm, search, mostPeople).catch(whenAway([]))
  return found.filter(({ type }) => type === 'user').map(({ id }) => id)
}

function toEvent(
  row: PermissionEventRow,
  { type, id, name, detail }: NamedPrincipal,
  called: (person: Given) => PrincipalName,
): PermissionEvent {
  return {
    id: row.id,
    at: row.at.toISOString(),
    by: row.by_name,
    byName: row.by_name === null ? null : called({ id: row.by_id, name: row.by_name }).name,
    what: row.what as PermissionEvent['what'],
    principal: { type, id, name, detail },
    role: row.role,
    owner: row.owner,
    expiresAt: row.expires_at?.toISOString() ?? null,
    note: row.note,
  }
}
