import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, conflict, notFound } from '../http/problem.ts'
import { type Db, isDuplicate } from '../storage/database.ts'
import { readAttributes } from './attributes.ts'

export interface Role {
  id: string
  client: string | null
  name: string
  description: string | null
  attributes: Record<string, string[]>
  composite: boolean
}

interface RealmRef {
  id: string
}

const columns = `r.id, r.client, r.name, r.description, r.attributes,
  exists (select 1 from role_composite c where c.parent = r.id) as composite`

/** A role as the Admin API writes it; lists leave attributes out. */
export function roleToJson(realm: RealmRef, role: Role, withAttributes = false): JsonObject {
  return {
    id: role.id,
    name: role.name,
    ...(role.description === null ? {} : { description: role.description }),
    composite: role.composite,
    clientRole: role.client !== null,
    containerId: role.client ?? realm.id,
    ...(withAttributes ? { attributes: role.attributes } : {}),
  }
}

interface RoleQuery {
  search?: string
  first?: number
  max?: number
}

export function listRoles(db: Db, realmId: string, client: string | undefined, query: RoleQuery = {}): Promise<Role[]> {
  return db.rows<Role>(
    `select ${columns} from role r
     where r.realm_id = $1 and r.client is not distinct from $2
       and ($3::text is null or position(lower($3) in lower(r.name)) > 0 or position(lower($3) in lower(coalesce(r.description, ''))) > 0)
     order by r.name offset $4 limit $5`,
    [realmId, client ?? null, query.search ?? null, query.first ?? 0, query.max ?? null],
  )
}

export function findRole(db: Db, realmId: string, client: string | undefined, name: string): Promise<Role | undefined> {
  return db.row<Role>(
    `select ${columns} from role r where r.realm_id = $1 and r.client is not distinct from $2 and r.name = $3`,
    [realmId, client ?? null, name],
  )
}

export function findRoleById(db: Db, realmId: string, id: string): Promise<Role | undefined> {
  return db.row<Role>(`select ${columns} from role r where r.realm_id = $1 and r.id = $2`, [realmId, id])
}

export function rolesByIds(db: Db, realmId: string, ids: readonly string[]): Promise<Role[]> {
  return db.rows<Role>(`select ${columns} from role r where r.realm_id = $1 and r.id = any($2) order by r.name`, [
    realmId,
    ids,
  ])
}

export async function requireRole(db: Db, realmId: string, client: string | undefined, name: string): Promise<Role> {
  const role = await findRole(db, realmId, client, name)
  if (!role) throw notFound('Could not find role: Role')
  return role
}

function readName(sent: JsonObject): string {
  if (typeof sent.name !== 'string' || sent.name.trim() === '' || sent.name.length > 255) {
    throw badRequest('Role name is missing or too long')
  }
  return sent.name
}

export async function createRole(db: Db, realm: RealmRef, client: string | undefined, sent: JsonObject): Promise<Role> {
  const role: Role = {
    id: randomUUID(),
    client: client ?? null,
    name: readName(sent),
    description: typeof sent.description === 'string' ? sent.description : null,
    attributes: readAttributes(sent.attributes) ?? {},
    composite: false,
  }
  const added = await db.run(
    `insert into role (id, realm_id, client, name, description, attributes) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [role.id, realm.id, role.client, role.name, role.description, JSON.stringify(role.attributes)],
  )
  if (added === 0) throw conflict(`Role with name ${role.name} already exists`)
  return role
}

export async function updateRole(db: Db, role: Role, sent: JsonObject): Promise<void> {
  const attributes = readAttributes(sent.attributes) ?? role.attributes
  const description = typeof sent.description === 'string' ? sent.description : role.description
  const name = sent.name === undefined ? role.name : readName(sent)
  try {
    await db.run('update role set name = $2, description = $3, attributes = $4 where id = $1', [
      role.id,
      name,
      description,
      JSON.stringify(attributes),
    ])
  } catch (error) {
    if (isDuplicate(error)) throw conflict(`Role with name ${name} already exists`)
    throw error
  }
}

export async function deleteRole(db: Db, role: Role): Promise<void> {
  await db.run('delete from role where id = $1', [role.id])
}

export function listComposites(db: Db, parent: string): Promise<Role[]> {
  return db.rows<Role>(
    `select ${columns} from role_composite x join role r on r.id = x.child where x.parent = $1 order by r.name`,
    [parent],
  )
}

export async function addComposites(db: Db, parent: string, children: readonly string[]): Promise<void> {
  await db.run('insert into role_composite (parent, child) select $1, unnest($2::text[]) on conflict do nothing', [
    parent,
    children,
  ])
}

export async function removeComposites(db: Db, parent: string, children: readonly string[]): Promise<void> {
  await db.run('delete from role_composite where parent = $1 and child = any($2)', [parent, children])
}

/** Resolves role references of a request body to roles of this realm; an unknown one refuses the whole request. */
export async function resolveRoles(db: Db, realmId: string, sent: unknown, client?: string | null): Promise<Role[]> {
  if (!Array.isArray(sent)) throw badRequest('A list of roles is expected')
  const roles: Role[] = []
  for (const entry of sent as JsonObject[]) {
    const byId = typeof entry?.id === 'string' ? await findRoleById(db, realmId, entry.id) : undefined
    const byName =
      byId === undefined && typeof entry?.name === 'string' && client !== undefined
        ? await findRole(db, realmId, client ?? undefined, entry.name)
        : undefined
    const role = byId ?? byName
    if (!role || (client !== undefined && role.client !== client)) throw notFound('Role')
    roles.push(role)
  }
  return roles
}
