import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { createContents, ofDefaultGroups } from './role-ways.ts'

/** The role of everybody who works with the portal. */
const ofMembers = 'quayside-member'

/** Names of the roles that everybody in a realm holds, with everything inside them; roles of clients as `client:role`. */
export function createCommonRoles(keycloak: Keycloak, roles: RealmRoles) {
  return async (realm: string): Promise<ReadonlySet<string>> => {
    const found = await keycloak.run((kc) => kc.realms.findOne({ realm }))
    const outer = [found?.defaultRole?.name ?? `default-roles-${realm.toLowerCase()}`, ofMembers]
    const contents = createContents(roles, realm)
    const [inside, byGroups] = await Promise.all([
      Promise.all(outer.map((name) => contents(name))),
      ofDefaultGroups(keycloak, roles, realm),
    ])
    return new Set([...outer, ...inside.flat(), ...byGroups.roles])
  }
}
