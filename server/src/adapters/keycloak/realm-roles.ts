import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import type { Role } from '@quayside/contract/roles/endpoints'
import type { Granted } from '../../platform/auth/escalation.ts'
import { allPages } from './all-pages.ts'
import type { Keycloak } from './keycloak.ts'
import { toRole } from './representations.ts'

/** Roles of a realm, and the roles inside of them. */
export function createRealmRoles(keycloak: Keycloak) {
  const find = (realm: string, name: string) => keycloak.run((kc) => kc.roles.findOneByName({ realm, name }))

  /** A role with everything inside it, however deep. */
  async function contentOf(realm: string, role: RoleRepresentation): Promise<Granted> {
    const realmRoles = new Set<string>()
    const clientRoles = new Map<string, RoleRepresentation>()
    const seen = new Set<string>()
    let level = [role.id ?? '']
    while (level.length > 0) {
      const next: string[] = []
      for (const id of level) {
        for (const part of await keycloak.run((kc) => kc.roles.getCompositeRoles({ realm, id }))) {
          const partId = part.id ?? ''
          if (seen.has(partId)) continue
          seen.add(partId)
          if (part.clientRole) clientRoles.set(partId, part)
          else realmRoles.add(part.name ?? '')
          if (part.composite) next.push(partId)
        }
      }
      level = next
    }
    const owners = new Map<string, string>()
    if (clientRoles.size > 0) {
      for (const client of await keycloak.run((kc) => kc.clients.find({ realm }))) {
        owners.set(client.id ?? '', client.clientId ?? '')
      }
    }
    const resourceRoles = [...clientRoles.values()].map(
      (part) => `${owners.get(part.containerId ?? '') ?? '?'}:${part.name}`,
    )
    return { name: role.name ?? '', realmRoles: [...realmRoles], resourceRoles }
  }

  return {
    find,
    contentOf,
    async list(realm: string): Promise<Role[]> {
      const roles = await allPages((page) => keycloak.run((kc) => kc.roles.find({ realm, ...page })))
      return roles.map(toRole).sort((left, right) => left.name.localeCompare(right.name))
    },
  }
}
export type RealmRoles = ReturnType<typeof createRealmRoles>
