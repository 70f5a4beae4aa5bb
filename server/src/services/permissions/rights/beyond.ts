import { mainClient } from '@quayside/contract/permissions/roles'
import { type Actor, holds } from '../../../platform/auth/actor.ts'

/** Roles that the identity server gives everybody by itself. */
const ofEverybody = /^(?:default-roles-.*|offline_access|uma_authorization|account:.*)$/
/** Clients whose roles are rights in the portal or over the realm. */
const ownClients = new Set(['realm-management', 'broker', 'account-console', 'admin-cli', 'security-admin-console'])

const isRight = (client: string) => client.startsWith(mainClient) || ownClients.has(client)

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
  return names.find((name) => {
    if (ofEverybody.test(name) || held.realmRoles.has(name) || held.resourceRoles.has(name)) return false
    const at = name.indexOf(':')
    return !(managesSpaces && (at < 0 || !isRight(name.slice(0, at))))
  })
}
