import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import type { RoleRef } from '@quayside/contract/permissions/roles'
import { clientOf, roleName } from '@quayside/contract/permissions/roles'
import type { Granted } from '../../platform/auth/escalation.ts'
import { ignoreGone } from './gone.ts'
import type { Keycloak } from './keycloak.ts'
import type { RealmRoles } from './realm-roles.ts'

/** A role of the tenant as the identity server has it: on the client of its section. */
interface Found {
  clientUniqueId: string
  role: RoleRepresentation
}

/** Roles of the tenant, and the people to whom they are mapped. */
export function createClientRoles(keycloak: Keycloak, roles: Pick<RealmRoles, 'contentOf'>) {
  async function find(realm: string, ref: RoleRef): Promise<Found | undefined> {
    const [client] = await keycloak.run((kc) => kc.clients.find({ realm, clientId: clientOf(ref.section) }))
    if (!client?.id) return undefined
    const clientUniqueId = client.id
    const asked = { realm, id: clientUniqueId, roleName: ref.role }
    const role = await keycloak.run((kc) => kc.clients.findRole(asked)).catch(ignoreGone)
    return role ? { clientUniqueId, role } : undefined
  }

  const mapping = (realm: string, id: string, { clientUniqueId, role }: Found) => ({
    ...{ realm, id, clientUniqueId },
    roles: [{ id: role.id ?? '', name: role.name ?? '' }],
  })

  return {
    find,
    /** The role with everything inside it. */
    async contentOf(realm: string, ref: RoleRef, { role }: Found): Promise<Granted> {
      const inside = await roles.contentOf(realm, role)
      return { realmRoles: inside.realmRoles, resourceRoles: [roleName(ref), ...inside.resourceRoles] }
    },
    /** Tells whether the role itself is mapped to a person, not by a group and not inside another role. */
    async isMapped(realm: string, id: string, { clientUniqueId, role }: Found): Promise<boolean> {
      const held = await keycloak
        .run((kc) => kc.users.listClientRoleMappings({ realm, id, clientUniqueId }))
        .catch(ignoreGone)
      return held?.some((each) => each.id === role.id) ?? false
    },
    map: (realm: string, id: string, found: Found) =>
      keycloak.run((kc) => kc.users.addClientRoleMappings(mapping(realm, id, found))),
    /** A person, client or role that is gone has taken the mapping along. */
    unmap: (realm: string, id: string, found: Found) =>
      keycloak.run((kc) => kc.users.delClientRoleMappings(mapping(realm, id, found))).catch(ignoreGone),
  }
}
export type ClientRoles = ReturnType<typeof createClientRoles>
