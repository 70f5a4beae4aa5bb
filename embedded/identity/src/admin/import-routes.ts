import { createClient, findClient } from '../directory/clients.ts'
import { createRole, findRole, type Role } from '../directory/roles.ts'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, conflict, Problem } from '../http/problem.ts'
import { requireAny } from './caller.ts'
import { bodyObject, type Call, clientsManage, ok, type Reply, type Route, realmManage } from './route.ts'

interface Imported {
  action: 'ADDED' | 'SKIPPED'
  resourceType: 'CLIENT' | 'REALM_ROLE' | 'CLIENT_ROLE'
  resourceName: string
  id: string
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function listOf(value: unknown, name: string): JsonObject[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || !value.every(isObject)) throw badRequest(`${name} is not a list of objects`)
  return value
}

function objectOf(value: unknown, name: string): JsonObject {
  if (value === undefined) return {}
  if (!isObject(value)) throw badRequest(`${name} is not an object`)
  return value
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

/** Roles are imported bare: what they contain is given where each part is judged. */
function mustBeSupported(sent: JsonObject, roles: readonly JsonObject[]): void {
  const kinds = ['users', 'groups', 'identityProviders', 'identityProviderMappers'].filter(
    (kind) => sent[kind] !== undefined && !isEmpty(sent[kind]),
  )
  const what =
    kinds[0] ??
    (sent.ifResourceExists === 'OVERWRITE' ? 'OVERWRITE' : undefined) ??
    (roles.some(({ composites }) => composites !== undefined) ? 'composites' : undefined)
  if (what === undefined) return
  const errorMessage = `Clients and roles without composites are imported, and nothing is overwritten, on this identity server: ${what} is not supported`
  throw new Problem(501, { error: 'HTTP 501 Not Implemented', errorMessage })
}

/** Makes what is not there. Without SKIP one thing that is there refuses all of them. */
async function importAll(call: Call): Promise<Reply> {
  requireAny(call.caller, clientsManage)
  const sent = bodyObject(call)
  const roles = objectOf(sent.roles, 'roles')
  const realmRoles = listOf(roles.realm, 'roles.realm')
  const clientRoles = Object.entries(objectOf(roles.client, 'roles.client')).map(
    ([clientId, list]) => [clientId, listOf(list, `roles.client.${clientId}`)] as const,
  )
  mustBeSupported(sent, [...realmRoles, ...clientRoles.flatMap(([, list]) => list)])
  const isSkipped = sent.ifResourceExists === 'SKIP'
  const { realm } = call
  return call.db.transaction(async (db) => {
    const results: Imported[] = []

    async function add(type: Imported['resourceType'], name: string, find: () => Promise<Found>, make: () => Made) {
      const known = await find()
      if (known && !isSkipped) throw conflict(`${name} already exists`)
      const { id } = known ?? (await make())
      results.push({ action: known ? 'SKIPPED' : 'ADDED', resourceType: type, resourceName: name, id })
    }

    for (const client of listOf(sent.clients, 'clients')) {
      const name = String(client.clientId ?? '')
      await add(
        'CLIENT',
        name,
        () => findClient(db, realm.id, name),
        () => createClient(db, realm, client),
      )
    }
    const addRole = (type: Imported['resourceType'], role: JsonObject, client?: string) => {
      const name = String(role.name ?? '')
      return add(
        type,
        name,
        () => findRole(db, realm.id, client, name),
        () => createRole(db, realm, client, role),
      )
    }
    for (const role of realmRoles) await addRole('REALM_ROLE', role)
    for (const [clientId, list] of clientRoles) {
      const client = await findClient(db, realm.id, clientId)
      if (!client) throw badRequest(`roles.client: there is no client ${clientId}`)
      for (const role of list) await addRole('CLIENT_ROLE', role, client.id)
    }
    const count = (action: Imported['action']) => results.filter((one) => one.action === action).length
    return ok({ overwritten: 0, added: count('ADDED'), skipped: count('SKIPPED'), results })
  })
}
type Found = Pick<Role, 'id'> | undefined
type Made = Promise<{ id: string }>

export const importRoutes: readonly Route[] = [
  { method: 'POST', path: '/partialImport', needs: realmManage, answer: importAll },
]
