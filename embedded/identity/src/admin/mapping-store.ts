import { effectiveGroupRoles, effectiveRoles, type RoleName } from '../directory/effective-roles.ts'
import type { Role } from '../directory/roles.ts'
import type { Db } from '../storage/database.ts'

/** Holder of roles: a user or a group. Both keep them in a table of the same shape. */
export interface Holder {
  table: 'user_role' | 'group_role'
  column: 'user_id' | 'group_id'
  id: string
}

export const userHolder = (id: string): Holder => ({ table: 'user_role', column: 'user_id', id })
export const groupHolder = (id: string): Holder => ({ table: 'group_role', column: 'group_id', id })

const columns = `r.id, r.client, r.name, r.description, r.attributes,
  exists (select 1 from role_composite c where c.parent = r.id) as composite`

/** Roles given to the holder itself, of the realm (null), of one client, or all (undefined). */
export function directRoles(db: Db, holder: Holder, client: string | null | undefined): Promise<Role[]> {
  return db.rows<Role>(
    `select ${columns} from ${holder.table} x join role r on r.id = x.role_id
     where x.${holder.column} = $1 and ($2 or r.client is not distinct from $3) order by r.name`,
    [holder.id, client === undefined, client ?? null],
  )
}

export const heldRoles = (db: Db, holder: Holder): Promise<RoleName[]> =>
  holder.table === 'user_role' ? effectiveRoles(db, holder.id) : effectiveGroupRoles(db, holder.id)

export async function groupRoleIds(db: Db, groupId: string): Promise<string[]> {
  return (await effectiveGroupRoles(db, groupId)).map((role) => role.id)
}

export async function giveRoles(db: Db, holder: Holder, roleIds: readonly string[]): Promise<void> {
  await db.run(
    `insert into ${holder.table} (${holder.column}, role_id) select $1, unnest($2::text[]) on conflict do nothing`,
    [holder.id, roleIds],
  )
}

export async function takeRoles(db: Db, holder: Holder, roleIds: readonly string[]): Promise<void> {
  await db.run(`delete from ${holder.table} where ${holder.column} = $1 and role_id = any($2)`, [holder.id, roleIds])
}
