import type { Outbound } from '../brokering/outbound.ts'
import type { Realm } from '../directory/realms.ts'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'
import type { Caller } from './caller.ts'

/** One call of the Admin API on a realm. */
export interface Call {
  db: Db
  realm: Realm
  caller: Caller
  /** Parts of the path, by name. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  body: unknown
  /** Address of the realm's Admin API, for Location headers. */
  address: string
  /** Address of the realm itself, for links. */
  issuer: string
  allowedAddresses: readonly string[]
  /** Foreign servers that may be asked. */
  outbound: Outbound
  /** Tells the protocol side that the realm's settings changed. */
  realmChanged: () => void
}

export interface Reply {
  status: number
  body?: unknown
  location?: string
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Management roles of which one is needed. */
  needs: readonly string[]
  answer: (call: Call) => Promise<Reply>
}

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const done: Reply = { status: 204 }
export const created = (location: string, body?: unknown): Reply => ({ status: 201, location, body })

export const usersView = ['view-users', 'manage-users']
export const usersManage = ['manage-users']
export const groupsView = ['query-groups', 'view-users', 'manage-users']
export const clientsView = ['view-clients', 'manage-clients']
export const clientsManage = ['manage-clients']
export const realmView = ['view-realm', 'manage-realm']
export const realmManage = ['manage-realm']
export const rolesView = [...realmView, 'query-users', 'query-groups', 'query-clients', 'view-users', 'manage-users']
export const eventsView = ['view-events', 'manage-events']
export const eventsManage = ['manage-events']

/** The named part of the path. */
export function param(call: Call, name: string): string {
  const value = call.params[name]
  if (value === undefined) throw new Error(`route has no part ${name}`)
  return value
}

export function bodyObject(call: Call): JsonObject {
  if (typeof call.body !== 'object' || call.body === null || Array.isArray(call.body)) {
    throw badRequest('A JSON object is expected')
  }
  return call.body as JsonObject
}

export function numberParam(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  // Keycloak takes -1 as "no limit".
  if (text === '-1') return undefined
  if (!/^\d{1,9}$/.test(text)) throw badRequest(`${name} must be a whole number`)
  return Number(text)
}

export function flagParam(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name)
  return text === null ? undefined : text === 'true'
}

export const textParam = (query: URLSearchParams, name: string): string | undefined => query.get(name) || undefined

export const paging = (call: Call, max: number) => ({
  first: numberParam(call.query, 'first') ?? 0,
  max: numberParam(call.query, 'max') ?? (call.query.get('max') === '-1' ? 1_000_000 : max),
})
