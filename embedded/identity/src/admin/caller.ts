import type { IncomingMessage } from 'node:http'
import { decodeJwt } from 'jose'
import { MANAGEMENT_CLIENT } from '../directory/builtin-roles.ts'
import { carriedOf } from '../directory/carried-roles.ts'
import { findClient } from '../directory/clients.ts'
import { effectiveRoles, expandRoles } from '../directory/effective-roles.ts'
import { bearerToken } from '../http/exchange.ts'
import { forbidden, unauthorized } from '../http/problem.ts'
import type { RealmHosts } from '../oidc/realm-host.ts'
import { checkAccessToken } from '../oidc/token-check.ts'
import type { Db } from '../storage/database.ts'

export const MASTER = 'master'

/** Caller of the Admin API, and their rights on the realm that the call is about. */
export interface Caller {
  userId: string
  /** Realm that has issued the token, and client id of the client that it was issued to. */
  realm: string
  client: string
  /** Holder of the master realm's `admin` role: may do everything on every realm. */
  allPowerful: boolean
  /** Names of the management roles held on the realm of the call. */
  management: ReadonlySet<string>
  /** Ids of all roles held there, as far as the client of the token carries them. */
  roleIds: ReadonlySet<string>
}

function realmOfIssuer(token: string, publicUrl: string): string | undefined {
  try {
    const { iss } = decodeJwt(token)
    const prefix = `${publicUrl}/realms/`
    return iss?.startsWith(prefix) ? iss.slice(prefix.length) : undefined
  } catch {
    return undefined
  }
}

/** Reads the bearer token and looks up, at this moment, which roles its owner has, as far as its client carries them. */
export async function identifyCaller(
  db: Db,
  hosts: RealmHosts,
  publicUrl: string,
  req: IncomingMessage,
  realmName: string | undefined,
): Promise<Caller> {
  const token = bearerToken(req)
  const issuedBy = token && realmOfIssuer(token, publicUrl)
  const host = issuedBy ? await hosts.find(issuedBy) : undefined
  const payload = host && token ? await checkAccessToken(db, host, token) : undefined
  // A permission token says what somebody may do in one place, and is no sign-in.
  if (!payload || payload.authorization !== undefined) throw unauthorized()
  const client = host && (await findClient(db, host.realm.id, payload.azp))
  if (!host || !client) throw unauthorized()
  const { roles } = await carriedOf(db, host.realm.id, client, payload.sub, payload.scope ?? '')
  const allPowerful = issuedBy === MASTER && roles.some((role) => role.client === null && role.name === 'admin')
  if (!allPowerful && issuedBy !== realmName) throw forbidden()
  return {
    ...{ userId: payload.sub, realm: host.realm.name, client: client.client_id },
    allPowerful,
    management: new Set(roles.filter((role) => role.client === MANAGEMENT_CLIENT).map((role) => role.name)),
    roleIds: new Set(roles.map((role) => role.id)),
  }
}

/** Refuses callers that hold none of the given management roles. */
export function requireAny(caller: Caller, roles: readonly string[]): void {
  if (caller.allPowerful || roles.some((role) => caller.management.has(role))) return
  throw forbidden()
}

/** Nobody hands out power over the realm that they do not hold themselves. */
export async function requireGrantable(db: Db, caller: Caller, roleIds: readonly string[]): Promise<void> {
  if (caller.allPowerful) return
  const inside = await expandRoles(db, roleIds)
  const beyond = inside.some((role) => role.client === MANAGEMENT_CLIENT && !caller.roleIds.has(role.id))
  if (beyond) throw forbidden()
}

/** Nobody changes an account that has more power over the realm than they have. */
export async function requireNotAbove(db: Db, caller: Caller, userId: string): Promise<void> {
  if (caller.allPowerful || caller.userId === userId) return
  const theirs = await effectiveRoles(db, userId)
  const above = theirs.some((role) => role.client === MANAGEMENT_CLIENT && !caller.roleIds.has(role.id))
  if (above) throw forbidden()
}
