import type { Db } from '../storage/database.ts'
import { type ClientScope, scopesOfToken } from './client-scopes.ts'
import type { Client } from './clients.ts'
import { effectiveRoles, expandRoles, type RoleName } from './effective-roles.ts'

/** Scopes with their mappers, and roles, that a client's tokens have for a person. */
export interface Carried {
  scopes: readonly ClientScope[]
  roles: readonly RoleName[]
}

interface ScopeRole {
  scope: string | null
  role_id: string
}

/**
 * Follows Keycloak: with full scope a client carries every role that the person holds, else its own roles and those of
 * the scope mappings of the client and of its client scopes. A client scope with scope mappings of which the person
 * holds none is left out altogether.
 */
export async function carriedOf(
  db: Db,
  realmId: string,
  client: Client,
  userId: string,
  askedScope: string,
): Promise<Carried> {
  const [held, scopes, all] = await Promise.all([
    effectiveRoles(db, userId),
    scopesOfToken(db, realmId, client, askedScope),
    db.rows<ScopeRole>(
      'select scope, role_id from scope_role where realm_id = $1 and (client = $2 or scope is not null)',
      [realmId, client.id],
    ),
  ])
  const scopeIds = new Set(scopes.map(({ id }) => id))
  const mappings = all.filter(({ scope }) => scope === null || scopeIds.has(scope))
  if (mappings.length === 0 && client.settings.fullScopeAllowed) return { scopes, roles: held }
  const heldIds = new Set(held.map(({ id }) => id))
  const reachOf = async (roleIds: readonly string[]) => new Set((await expandRoles(db, roleIds)).map(({ id }) => id))
  const permitted: ClientScope[] = []
  const mapped = mappings.flatMap((each) => (each.scope === null ? [each.role_id] : []))
  for (const scope of scopes) {
    const own = mappings.flatMap((each) => (each.scope === scope.id ? [each.role_id] : []))
    if (own.length > 0 && ![...(await reachOf(own))].some((id) => heldIds.has(id))) continue
    permitted.push(scope)
    mapped.push(...own)
  }
  if (client.settings.fullScopeAllowed) return { scopes: permitted, roles: held }
  const reach = await reachOf(mapped)
  const roles = held.filter((role) => role.client === client.client_id || reach.has(role.id))
  return { scopes: permitted, roles }
}
