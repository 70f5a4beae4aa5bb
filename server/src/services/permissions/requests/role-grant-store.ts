import type { ListQuery } from '@quayside/contract/http/paging'
import { roleName, roleOfId } from '@quayside/contract/permissions/roles'
import { type SqlBool, sql, type Transaction } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import { mustKnowFilters, mustNotSort } from '../../../platform/http/listing.ts'
import type { RoleGrantRow, Tables } from '../tables.ts'

type Trx = Transaction<Tables>

/** A grant that was begun and not made final is taken back after this long: whoever was at it is gone. */
const unfinishedSeconds = 60

export function grantOf(trx: Trx, personId: string, role: string): Promise<RoleGrantRow | undefined> {
  const held = trx.selectFrom('role_grant').selectAll().where('person_id', '=', personId).where('role', '=', role)
  return held.executeTakeFirst()
}

/** Roles that somebody was given for a while, as `client:role`, each with its end; one that is not final has ended. */
export async function timedRoles(trx: Trx, personId: string): Promise<Map<string, Date>> {
  const rows = await trx
    .selectFrom('role_grant')
    .select(['role', 'expires_at', 'granted_at'])
    .where('person_id', '=', personId)
    .where((row) => row.or([row('expires_at', 'is not', null), row('is_final', '=', false)]))
    .execute()
  return new Map(
    rows.flatMap(({ role, expires_at, granted_at }) => {
      const ref = roleOfId(role)
      return ref ? [[roleName(ref), expires_at ?? granted_at] as const] : []
    }),
  )
}

export function grantById(trx: Trx, id: string): Promise<RoleGrantRow | undefined> {
  return trx.selectFrom('role_grant').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function beginGrant(
  trx: Trx,
  row: Omit<RoleGrantRow, 'is_final' | 'granted_at' | 'expires_at'>,
): Promise<void> {
  await trx
    .insertInto('role_grant')
    .values({ ...row, is_final: false, expires_at: null })
    .execute()
}

export async function finishGrant(trx: Trx, id: string, expiresAt: Date | null): Promise<void> {
  const end = { is_final: true, expires_at: expiresAt }
  await trx.updateTable('role_grant').set(end).where('id', '=', id).execute()
}

export async function deleteGrant(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('role_grant').where('id', '=', id).execute()
}

/** Grants whose time is over, or that were begun and never finished. */
export function dueGrants(trx: Trx): Promise<RoleGrantRow[]> {
  const left = sql<SqlBool>`not is_final and granted_at < clock_timestamp() - make_interval(secs => ${unfinishedSeconds})`
  return trx
    .selectFrom('role_grant')
    .selectAll()
    .where((where) => where.or([left, sql<SqlBool>`expires_at <= clock_timestamp()`]))
    .orderBy('id')
    .execute()
}

/** Grants that last, newest first. */
export function findGrants(
  db: Db,
  tenantId: string,
  query: ListQuery,
): Promise<{ rows: RoleGrantRow[]; total: number }> {
  mustKnowFilters(query.filters, [])
  mustNotSort(query.sort)
  return db.tenant<Tables, { rows: RoleGrantRow[]; total: number }>(tenantId, async (trx) => {
    const found = trx.selectFrom('role_grant').where('is_final', '=', true)
    const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
    const ordered = found.selectAll().orderBy('granted_at', 'desc').orderBy('id')
    return { rows: await ordered.limit(query.page.limit).offset(query.page.skip).execute(), total }
  })
}
