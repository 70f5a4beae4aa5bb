import type { SpaceRoleInput } from '@quayside/contract/permissions/endpoints'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import { shortId } from '../../../platform/db/ids.ts'
import type { SpaceRoleRow, Tables } from '../tables.ts'

type Trx = Transaction<Tables>

export function findRoles(db: Db, tenantId: string): Promise<SpaceRoleRow[]> {
  return db.tenantOne<Tables, SpaceRoleRow[]>(tenantId, (trx) =>
    trx.selectFrom('space_role').selectAll().orderBy(sql`lower(name)`).execute(),
  )
}

/** Two at once must not both be the last one that fits. */
export async function insertRole(
  trx: Trx,
  tenantId: string,
  input: SpaceRoleInput,
  most: number,
): Promise<SpaceRoleRow | 'too-many' | 'taken'> {
  await sql`select pg_advisory_xact_lock(hashtext(${`space roles ${tenantId}`}))`.execute(trx)
  const { count } = await trx
    .selectFrom('space_role')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  if (count >= most) return 'too-many'
  const made = trx.insertInto('space_role').values({ ...input, id: shortId(), tenant_id: tenantId })
  return (
    (await made
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()) ?? 'taken'
  )
}

/** The role with everything that would give it waiting until this has ended. */
export function lockRole(trx: Trx, id: string): Promise<SpaceRoleRow | undefined> {
  return trx.selectFrom('space_role').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function isNameTaken(trx: Trx, name: string, exceptId: string): Promise<boolean> {
  const same = trx
    .selectFrom('space_role')
    .select('id')
    .where(sql`lower(normalize(name, nfkc))`, '=', name.normalize('NFKC').toLowerCase())
  return (await same.where('id', '!=', exceptId).executeTakeFirst()) !== undefined
}

export function updateRole(trx: Trx, id: string, input: SpaceRoleInput): Promise<SpaceRoleRow> {
  return trx.updateTable('space_role').set(input).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteRole(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('space_role').where('id', '=', id).execute()
}

/** In how many spaces the role is given; entries that have ended do not count. */
export async function spacesWithRole(trx: Trx, id: string): Promise<number> {
  const given = trx.selectFrom('space_permission').select(sql<number>`count(distinct space_id)::int`.as('count'))
  const { count } = await given
    .where('role', '=', id)
    .where(sql<boolean>`(expires_at is null or expires_at > clock_timestamp())`)
    .executeTakeFirstOrThrow()
  return count
}

/** Every list on which the role stands says that it means something else now. */
export async function addRoleEvents(
  trx: Trx,
  id: string,
  by: { name: string; id: string },
  note: string,
): Promise<void> {
  await sql`insert into permission_event
    (tenant_id, space_id, by_name, by_id, what, principal, principal_name, role, owner, expires_at, note)
    select p.tenant_id, p.space_id, ${by.name}, ${by.id}, 'changed', p.principal, p.principal_name, r.name, p.owner,
      p.expires_at, ${note}
    from space_permission p join space_role r on r.id = p.role where p.role = ${id}`.execute(trx)
}
