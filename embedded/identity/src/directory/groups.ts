import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, conflict, notFound } from '../http/problem.ts'
import { type Db, isDuplicate } from '../storage/database.ts'
import { readAttributes } from './attributes.ts'

export interface Group {
  id: string
  parent: string | null
  name: string
  description: string | null
  attributes: Record<string, string[]>
  path: string
  children: number
}

const tree = `with recursive
  tree as (
    select g.*, '/' || replace(g.name, '/', '~/') as path from user_group g where g.realm_id = $1 and g.parent is null
    union all
    select g.*, t.path || '/' || replace(g.name, '/', '~/') from user_group g join tree t on g.parent = t.id
  )
  select t.id, t.parent, t.name, t.description, t.attributes, t.path,
    (select count(*)::int from user_group c where c.parent = t.id) as children
  from tree t`

/** A group as the Admin API writes it, without its children. */
export function groupToJson(group: Group, brief: boolean): JsonObject {
  return {
    id: group.id,
    name: group.name,
    ...(group.description === null ? {} : { description: group.description }),
    path: group.path,
    ...(group.parent === null ? {} : { parentId: group.parent }),
    subGroupCount: group.children,
    subGroups: [],
    ...(brief ? {} : { attributes: group.attributes, realmRoles: [], clientRoles: {} }),
    access: { view: true, viewMembers: true, manageMembers: true, manage: true, manageMembership: true },
  }
}

export function allGroups(db: Db, realmId: string): Promise<Group[]> {
  return db.rows<Group>(`${tree} order by lower(t.name), t.id`, [realmId])
}

export function childGroups(db: Db, realmId: string, parent: string | null): Promise<Group[]> {
  return db.rows<Group>(`${tree} where t.parent is not distinct from $2 order by lower(t.name), t.id`, [
    realmId,
    parent,
  ])
}

export async function requireGroup(db: Db, realmId: string, id: string): Promise<Group> {
  const group = await db.row<Group>(`${tree} where t.id = $2`, [realmId, id])
  if (!group) throw notFound('Could not find group by id: Group')
  return group
}

export async function groupByPath(db: Db, realmId: string, path: string): Promise<Group> {
  const [group, other] = await db.rows<Group>(`${tree} where t.path = $2`, [
    ...[realmId, path.startsWith('/') ? path : `/${path}`],
  ])
  if (!group) throw notFound('Group path does not exist: Group')
  if (other) throw conflict('Several groups have this path: rename all but one of them')
  return group
}

export function groupsOfUser(db: Db, realmId: string, userId: string): Promise<Group[]> {
  return db.rows<Group>(
    `${tree} join group_member m on m.group_id = t.id where m.user_id = $2 order by lower(t.name)`,
    [realmId, userId],
  )
}

export function defaultGroups(db: Db, realmId: string): Promise<Group[]> {
  return db.rows<Group>(
    `${tree} join default_group d on d.group_id = t.id and d.realm_id = $1 order by lower(t.name)`,
    [realmId],
  )
}

/** A name at whose end a "~" stands would make the "/" after it in a path be read as part of a name. */
function readName(sent: JsonObject, known?: string): string {
  if (typeof sent.name !== 'string' || sent.name.trim() === '' || sent.name.length > 255) {
    throw badRequest('Group name is missing')
  }
  if (sent.name.endsWith('~') && sent.name !== known) throw badRequest('Group name must not end with ~')
  return sent.name
}

const duplicate = (name: string, parent: string | null) =>
  conflict(
    parent === null
      ? `Top level group named '${name}' already exists.`
      : `Sibling group named '${name}' already exists.`,
  )

export async function createGroup(db: Db, realmId: string, parent: string | null, sent: JsonObject): Promise<string> {
  const id = randomUUID()
  const name = readName(sent)
  const added = await db.run(
    `insert into user_group (id, realm_id, parent, name, description, attributes) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [
      id,
      realmId,
      parent,
      name,
      typeof sent.description === 'string' ? sent.description : null,
      JSON.stringify(readAttributes(sent.attributes) ?? {}),
    ],
  )
  if (added === 0) throw duplicate(name, parent)
  return id
}

export async function updateGroup(db: Db, group: Group, sent: JsonObject): Promise<void> {
  const name = sent.name === undefined ? group.name : readName(sent, group.name)
  try {
    await db.run('update user_group set name = $2, description = $3, attributes = $4 where id = $1', [
      group.id,
      name,
      typeof sent.description === 'string' ? sent.description : group.description,
      JSON.stringify(readAttributes(sent.attributes) ?? group.attributes),
    ])
  } catch (error) {
    if (isDuplicate(error)) throw duplicate(name, group.parent)
    throw error
  }
}

/** Hangs a group under another parent (or none), refusing to make a group its own ancestor. */
export async function moveGroup(db: Db, realmId: string, group: Group, parent: Group | undefined): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run('select 1 from realm where id = $1 for update', [realmId])
    const target = parent && (await requireGroup(tx, realmId, parent.id))
    const current = await requireGroup(tx, realmId, group.id)
    if (target && (target.id === current.id || target.path.startsWith(`${current.path}/`))) {
      throw badRequest('A group cannot be moved below itself')
    }
    try {
      await tx.run('update user_group set parent = $2 where id = $1', [group.id, target?.id ?? null])
    } catch (error) {
      if (isDuplicate(error)) throw duplicate(group.name, target?.id ?? null)
      throw error
    }
  })
}

export async function deleteGroup(db: Db, group: Group): Promise<void> {
  await db.run('delete from user_group where id = $1', [group.id])
}
