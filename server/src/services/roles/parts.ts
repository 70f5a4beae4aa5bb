import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import type { RolePart } from '@quayside/contract/roles/endpoints'
import { ignoreGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { toRole } from '../../adapters/keycloak/representations.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import { fail } from '../../platform/http/errors.ts'

const atOnce = 6

type Found = RoleRepresentation & { id: string; name: string }

/** Roles by their ids, those of clients too, and the roles inside of them. */
export function createPartReads(keycloak: Keycloak, roles: Pick<RealmRoles, 'contentOf'>) {
  async function clientIds(realm: string): Promise<Map<string, string>> {
    const clients = await keycloak.run((kc) => kc.clients.find({ realm }))
    return new Map(clients.map(({ id = '', clientId = '' }) => [id, clientId]))
  }

  return {
    async inside(realm: string, id: string): Promise<RolePart[]> {
      const found = await keycloak.run((kc) => kc.roles.getCompositeRoles({ realm, id }))
      const owners = found.some(({ clientRole }) => clientRole) ? await clientIds(realm) : new Map<string, string>()
      return found
        .map((one) => ({ ...toRole(one), client: one.clientRole ? (owners.get(one.containerId ?? '') ?? '') : null }))
        .sort(
          (one, other) => (one.client ?? '').localeCompare(other.client ?? '') || one.name.localeCompare(other.name),
        )
    },

    find: (realm: string, ids: readonly string[]): Promise<Found[]> =>
      mapLimit(atOnce, [...new Set(ids)], async (id) => {
        const found = await keycloak.run((kc) => kc.roles.findOneById({ realm, id })).catch(ignoreGone)
        if (!found?.name) throw fail('iam.role-not-found', { field: 'id', message: `There is no role ${id} here.` })
        return { ...found, id, name: found.name }
      }),

    /** Names of the roles and of everything inside of them; roles of clients as `client:role`. */
    async namesIn(realm: string, chosen: readonly RoleRepresentation[]): Promise<string[]> {
      const owners = chosen.some(({ clientRole }) => clientRole) ? await clientIds(realm) : new Map<string, string>()
      const all = await mapLimit(atOnce, chosen, async (one) => {
        const content = await roles.contentOf(realm, one)
        const own = one.clientRole ? `${owners.get(one.containerId ?? '') ?? '?'}:${one.name}` : (one.name ?? '')
        return [own, ...content.realmRoles, ...content.resourceRoles]
      })
      return all.flat()
    },
  }
}
export type PartReads = ReturnType<typeof createPartReads>
