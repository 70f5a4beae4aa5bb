import type { Db } from '../storage/database.ts'

export interface RoleName {
  id: string
  name: string
  /** clientId of the client that owns the role; null for a role of the realm. */
  client: string | null
}

const closure = `
  held as (
    select id from start
    union
    select c.child from role_composite c join held h on h.id = c.parent
  )
  select r.id, r.name, k.client_id as client
  from held h join role r on r.id = h.id left join client k on k.id = r.client
  order by r.name`

/** All roles of a user: given directly, through groups and their parents, and through composites of any of these. */
export function effectiveRoles(db: Db, userId: string): Promise<RoleName[]> {
  return db.rows<RoleName>(
    `with recursive
     teams as (
       select g.id, g.parent from group_member m join user_group g on g.id = m.group_id where m.user_id = $1
       union
       select p.id, p.parent from user_group p join teams t on t.parent = p.id
     ),
     start as (
       select role_id as id from user_role where user_id = $1
       union
       select role_id from group_role where group_id in (select id from teams)
     ),
     ${closure}`,
    [userId],
  )
}

/** All roles of a group: its own, those of its parents, and the composites of these. */
export function effectiveGroupRoles(db: Db, groupId: string): Promise<RoleName[]> {
  return db.rows<RoleName>(
    `with recursive
     teams as (
       select id, parent from user_group where id = $1
       union
       select p.id, p.parent from user_group p join teams t on t.parent = p.id
     ),
     start as (select role_id as id from group_role where group_id in (select id from teams)),
     ${closure}`,
    [groupId],
  )
}

/** The given roles with everything that they contain. */
export function expandRoles(db: Db, roleIds: readonly string[]): Promise<RoleName[]> {
  return db.rows<RoleName>(`with recursive start as (select unnest($1::text[]) as id), ${closure}`, [roleIds])
}
