import { type Insertable, type SqlBool, sql, type Transaction } from 'kysely'
import type { UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import type { PermissionEventTable, PermissionRow, PermissionTable, Tables } from '../tables.ts'
import type { TimedGrant } from './grant-rules.ts'

export type Trx = Transaction<Tables>
/** Where every replica hears that rights have changed: `tenant|space`, the space empty when it may be any. */
export const accessChannel = 'quayside_access'

export type EntryRow = PermissionRow & { scopes: string[] | null; role_name: string | null }

/** Changes to the list of one space wait for each other. False: there is no such space. */
export async function lockSpace(trx: Trx, spaceId: string): Promise<boolean> {
  const space = trx.selectFrom('spaces').select('id').where('id', '=', spaceId)
  return (await space.forNoKeyUpdate().executeTakeFirst()) !== undefined
}

export function entriesOf(trx: Trx, spaceId: string): Promise<EntryRow[]> {
  return trx
    .selectFrom('space_permission')
    .leftJoin('space_role', 'space_role.id', 'space_permission.role')
    .selectAll('space_permission')
    .select(['space_role.scopes', 'space_role.name as role_name'])
    .where('space_id', '=', spaceId)
    .where(sql<SqlBool>`(expires_at is null or expires_at > clock_timestamp())`)
    .orderBy('owner', 'desc')
    .orderBy('granted_at')
    .orderBy('space_permission.id')
    .execute()
}

/** The entries of the principals in a space that are in force now, with their expiry. */
export async function grantsOf(
  trx: Trx,
  spaceId: string,
  principals: readonly string[],
): Promise<(TimedGrant & { principal: string })[]> {
  const rows = await entriesOf(trx, spaceId)
  return rows
    .filter(({ principal }) => principals.includes(principal))
    .map(({ principal, role, scopes, owner, expires_at }) => ({
      principal,
      role,
      scopes,
      owner,
      expiresAt: expires_at,
    }))
}

/** A role that the tenant has defined; it stays as it is until the end of the transaction. */
export function definedRole(trx: Trx, id: string): Promise<{ id: string; name: string; scopes: string[] } | undefined> {
  return trx
    .selectFrom('space_role')
    .select(['id', 'name', 'scopes'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
}

/** False when the list has an entry for the principal with the role already. */
export async function insertEntry(trx: Trx, row: Insertable<PermissionTable>): Promise<boolean> {
  const made = trx.insertInto('space_permission').values(row).returning('id')
  return (await made.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()) !== undefined
}

export async function updateEntry(
  trx: Trx,
  id: string,
  change: { role: string; owner: boolean; expires_at: Date | null },
): Promise<boolean> {
  const same = sql<SqlBool>`exists (select 1 from space_permission other join space_permission this on this.id = ${id}
    where other.space_id = this.space_id and other.principal = this.principal and other.role = ${change.role}
    and other.id <> ${id})`
  const row = trx.updateTable('space_permission').set(change).where('id', '=', id).where(sql<SqlBool>`not ${same}`)
  return (await row.returning('id').executeTakeFirst()) !== undefined
}

export async function deleteEntry(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('space_permission').where('id', '=', id).execute()
}

export async function addEvent(trx: Trx, event: Omit<Insertable<PermissionEventTable>, 'id' | 'at'>): Promise<void> {
  await trx.insertInto('permission_event').values(event).execute()
}

/** Told with the commit: nobody hears of what did not happen. */
export async function tellAccess(trx: UnitOfWork | Trx, tenantId: string, spaceId = ''): Promise<void> {
  await sql`select pg_notify(${accessChannel}, ${`${tenantId}|${spaceId}`})`.execute(trx as Trx)
}

/** Takes entries that have ended off the lists, of one space or of all, and writes down that they have. */
export async function sweepEntries(trx: Trx, spaceId?: string): Promise<void> {
  const here = spaceId === undefined ? sql`` : sql`and space_id = ${spaceId}`
  await sql`with gone as (
      delete from space_permission where expires_at <= clock_timestamp() ${here} returning *),
    told as (
      insert into permission_event (tenant_id, space_id, what, principal, principal_name, role, owner, expires_at)
      select gone.tenant_id, gone.space_id, 'expired', gone.principal, gone.principal_name,
        coalesce(r.name, gone.role), gone.owner, gone.expires_at
      from gone left join space_role r on r.id = gone.role),
    places as (select distinct tenant_id, space_id from gone)
    select pg_notify(${accessChannel}, tenant_id || '|' || space_id) from places`.execute(trx)
}
