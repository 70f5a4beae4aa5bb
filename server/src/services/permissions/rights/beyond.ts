import { mainClient } from '@quayside/contract/permissions/roles'
import { type Scope, scopes, scopesEverywhere } from '@quayside/contract/permissions/scopes'
import { apiAudience } from '../../../adapters/keycloak/realm/portal-clients.ts'
import { type Actor, holds } from '../../../platform/auth/actor.ts'

/** Roles that the identity server gives everybody by itself. */
const ofEverybody = /^(?:default-roles-[^:]*|offline_access|uma_authorization|account:.*)$/
/** Clients whose roles are rights in the portal or over the realm. */
const ownClients = new Set(['realm-management', 'broker', 'account-console', 'admin-cli', 'security-admin-console'])

const isRight = (client: string) => client.startsWith(mainClient) || ownClients.has(client)

/** The scope after which a role is called: for such a role the identity server gives it in any space, on a ticket. */
function scopeOf(name: string): Scope | undefined {
  return scopes.find((scope) => name === scope || name === `${apiAudience}:${scope}`)
}

/**
 * The first of these roles that its holder has and the other has not, undefined when there is none. A role of the realm
 * is a name in lists of spaces besides what it holds, and roles of apps are given along with spaces: who manages all spaces
 * decides about both anyway.
 * @param names roles with everything inside them; roles of clients as `client:role`
 */
export function firstBeyond(
  held: Pick<Actor, 'realmRoles' | 'resourceRoles'>,
  names: readonly string[],
): string | undefined {
  const managesSpaces = holds(held, 'spaces', 'spaces.manage')
  const everywhere = scopesEverywhere(held.resourceRoles)
  return names.find((name) => {
    const at = name.indexOf(':')
    const isHeld = at < 0 ? held.realmRoles.has(name) : held.resourceRoles.has(name)
    if (isHeld || ofEverybody.test(name)) return false
    const scope = scopeOf(name)
    if (scope !== undefined) return !everywhere.has(scope)
    return !(managesSpaces && (at < 0 || !isRight(name.slice(0, at))))
  })
}
