import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, conflict, notFound } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'
import { builtinScopes, type ProtocolMapper } from './builtin-scopes.ts'
import type { Client } from './clients.ts'

/** Client scope, shared by clients: claims by mappers, and roles that their tokens may carry. */
export interface ClientScope {
  id: string
  name: string
  description: string | null
  attributes: Record<string, string>
  mappers: ProtocolMapper[]
}

/** Holder of scope mappings: a client, or a client scope, whose mappings count for all clients that have it. */
export interface ScopeHolder {
  client: string | null
  scope: string | null
}

const columns = 'id, name, description, attributes, mappers'

export const scopeToJson = (scope: ClientScope): JsonObject => ({
  id: scope.id,
  name: scope.name,
  ...(scope.description === null ? {} : { description: scope.description }),
  protocol: 'openid-connect',
  attributes: scope.attributes,
  protocolMappers: scope.mappers,
})

export function listScopes(db: Db, realmId: string): Promise<ClientScope[]> {
  return db.rows<ClientScope>(`select ${columns} from client_scope where realm_id = $1 order by name`, [realmId])
}

export async function requireScope(db: Db, realmId: string, id: string): Promise<ClientScope> {
  const found = await db.row<ClientScope>(`select ${columns} from client_scope where realm_id = $1 and id = $2`, [
    realmId,
    id,
  ])
  if (!found) throw notFound('Could not find client scope')
  return found
}

/** Built-in scopes keep their name as their id. */
export async function addBuiltinScopes(db: Db, realmId: string): Promise<void> {
  for (const [name, mappers] of builtinScopes) {
    await db.run(
      `insert into client_scope (realm_id, id, name, mappers) values ($1, $2, $2, $3) on conflict do nothing`,
      [realmId, name, JSON.stringify(mappers.map((each) => ({ ...each, id: randomUUID() })))],
    )
  }
}

function readScope(sent: JsonObject, known?: ClientScope): Omit<ClientScope, 'id'> {
  const name = sent.name ?? known?.name
  if (typeof name !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(name)) throw badRequest('name is missing or not allowed')
  if (known && name !== known.name) throw badRequest('A client scope cannot be renamed')
  const attributes = sent.attributes ?? known?.attributes ?? {}
  return {
    name,
    description: typeof sent.description === 'string' ? sent.description : (known?.description ?? null),
    attributes: attributes as Record<string, string>,
    mappers: sent.protocolMappers === undefined ? (known?.mappers ?? []) : readMappers(sent.protocolMappers),
  }
}

/** Mappers as they were sent, each with an id of its own. */
export function readMappers(sent: unknown): ProtocolMapper[] {
  if (!Array.isArray(sent)) throw badRequest('A list of mappers is expected')
  return (sent as JsonObject[]).map((entry) => {
    if (typeof entry?.name !== 'string' || typeof entry.protocolMapper !== 'string')
      throw badRequest('A mapper needs a name and a kind')
    const id = typeof entry.id === 'string' ? entry.id : randomUUID()
    return { ...entry, id, name: entry.name, protocolMapper: entry.protocolMapper }
  })
}

export async function createScope(db: Db, realmId: string, sent: JsonObject): Promise<string> {
  const { name, description, attributes, mappers } = readScope(sent)
  const id = randomUUID()
  const added = await db.run(
    `insert into client_scope (realm_id, id, name, description, attributes, mappers) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [realmId, id, name, description, JSON.stringify(attributes), JSON.stringify(mappers)],
  )
  if (added === 0) throw conflict(`Client Scope ${name} already exists`)
  return id
}

export async function updateScope(db: Db, realmId: string, scope: ClientScope, sent: JsonObject): Promise<void> {
  const { description, attributes, mappers } = readScope(sent, scope)
  await db.run(
    'update client_scope set description = $3, attributes = $4, mappers = $5 where realm_id = $1 and id = $2',
    [realmId, scope.id, description, JSON.stringify(attributes), JSON.stringify(mappers)],
  )
}

export async function deleteScope(db: Db, realmId: string, id: string): Promise<void> {
  await db.run('delete from client_scope where realm_id = $1 and id = $2', [realmId, id])
}

const textList = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : [])

/** Scopes that a token of this client has: its default ones, and those of its optional ones that were asked for. */
export async function scopesOfToken(db: Db, realmId: string, client: Client, asked: string): Promise<ClientScope[]> {
  const { defaultClientScopes, optionalClientScopes } = client.settings
  const wanted = new Set(asked.split(' '))
  const names = [...textList(defaultClientScopes), ...textList(optionalClientScopes).filter((name) => wanted.has(name))]
  return db.rows<ClientScope>(`select ${columns} from client_scope where realm_id = $1 and name = any($2)`, [
    realmId,
    names,
  ])
}

export async function scopeRoleIds(db: Db, realmId: string, holder: ScopeHolder): Promise<string[]> {
  const rows = await db.rows<{ role_id: string }>(
    `select role_id from scope_role where realm_id = $1
       and client is not distinct from $2 and scope is not distinct from $3`,
    [realmId, holder.client, holder.scope],
  )
  return rows.map((row) => row.role_id)
}

export async function addScopeRoles(db: Db, realmId: string, { client, scope }: ScopeHolder, roleIds: string[]) {
  await db.run(
    `insert into scope_role (realm_id, client, scope, role_id) select $1, $2, $3, unnest($4::text[])
     on conflict do nothing`,
    [realmId, client, scope, roleIds],
  )
}

export async function removeScopeRoles(db: Db, realmId: string, { client, scope }: ScopeHolder, roleIds: string[]) {
  await db.run(
    `delete from scope_role where realm_id = $1 and client is not distinct from $2
       and scope is not distinct from $3 and role_id = any($4)`,
    [realmId, client, scope, roleIds],
  )
}
