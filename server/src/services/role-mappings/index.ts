import type MappingsRepresentation from '@keycloak/keycloak-admin-client/lib/defs/mappingsRepresentation.js'
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import { role } from '@quayside/contract/http/policy'
import type { HeldRole } from '@quayside/contract/role-mappings/endpoints'
import type { Role } from '@quayside/contract/roles/endpoints'
import { ignoreGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { orNotFound } from '../../adapters/keycloak/or-not-found.ts'
import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { toRole } from '../../adapters/keycloak/representations.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import { fail } from '../../platform/http/errors.ts'
import type { RoleWays } from '../directory/index.ts'
import type { People } from '../permissions/index.ts'
import { type HolderKind, type MappingCalls, mappingCalls } from './mapping-calls.ts'

const atOnce = 6

/** The holder of the roles, and the client whose roles they are; without one they are the realm's. */
interface Place {
  id: string
  cid?: string | undefined
}

/** Roles of one client as Keycloak lists them among all that somebody is assigned. */
interface ClientMappings {
  id: string
  client: string
  mappings: RoleRepresentation[]
}

type Ways = Pick<RoleWays, 'standing' | 'standingOfGroup'>

/** Roles that users and groups are assigned, one engine for both. */
export function createRoleMappings(keycloak: Keycloak, roles: RealmRoles, ways: Ways, people: People) {
  return {
    ofUsers: createMappings('user', keycloak, roles, people),
    ofGroups: createMappings('group', keycloak, roles, people),

    /** Every way to every role that somebody has, sorted by name. */
    async heldByUser({ realm }: Actor, id: string): Promise<HeldRole[]> {
      const standing = await ways.standing(realm, id)
      if (!standing) throw fail('iam.user-not-found', { field: 'id' })
      return toHeld(standing.roles, await keycloak.run((kc) => kc.users.listRoleMappings({ realm, id })))
    },
    async heldByGroup({ realm }: Actor, id: string): Promise<HeldRole[]> {
      const standing = await ways.standingOfGroup(realm, id)
      if (!standing) throw fail('iam.group-not-found', { field: 'id' })
      return toHeld(standing.roles, await keycloak.run((kc) => kc.groups.listRoleMappings({ realm, id })))
    },
  }
}
export type RoleMappings = ReturnType<typeof createRoleMappings>

type Mappings = ReturnType<typeof createMappings>

export type { Mappings }

function createMappings(kind: HolderKind, keycloak: Keycloak, roles: RealmRoles, people: People) {
  const calls = mappingCalls[kind]
  const right = kind === 'user' ? role('iam-users', 'users.roles.manage') : role('iam-groups', 'groups.roles.manage')

  async function mustBeThere(realm: string, { id, cid }: Place): Promise<string | undefined> {
    if (kind === 'user')
      await orNotFound(
        'iam.user-not-found',
        keycloak.run((kc) => kc.users.findOne({ realm, id })),
      )
    else
      await orNotFound(
        'iam.group-not-found',
        keycloak.run((kc) => kc.groups.findOne({ realm, id })),
      )
    if (cid === undefined) return undefined
    const client = await orNotFound(
      'iam.client-not-found',
      keycloak.run((kc) => kc.clients.findOne({ realm, id: cid })),
    )
    return client.clientId
  }

  async function read(realm: string, place: Place, ask: MappingCalls['assigned']): Promise<Role[]> {
    await mustBeThere(realm, place)
    const found = await keycloak.run((kc) => ask(kc, { realm, ...place }))
    return found.map(toRole).sort((one, other) => one.name.localeCompare(other.name))
  }

  /** The chosen roles, which are of the realm or of the client that the path names. */
  async function find(realm: string, { cid }: Place, ids: readonly string[]): Promise<RoleRepresentation[]> {
    return mapLimit(atOnce, [...new Set(ids)], async (id) => {
      const found = await keycloak.run((kc) => kc.roles.findOneById({ realm, id })).catch(ignoreGone)
      const isHere = cid === undefined ? found?.clientRole === false : found?.containerId === cid
      if (!found || !isHere) throw fail('iam.role-not-found', { field: 'id', message: `There is no role ${id} here.` })
      return found
    })
  }

  async function namesOf(realm: string, clientId: string | undefined, chosen: readonly RoleRepresentation[]) {
    const all = await mapLimit(atOnce, chosen, async (one) => {
      const inside = await roles.contentOf(realm, one)
      const own = clientId === undefined ? (one.name ?? '') : `${clientId}:${one.name}`
      return [own, ...inside.realmRoles, ...inside.resourceRoles]
    })
    return all.flat()
  }

  const change = (way: 'assign' | 'unassign') => async (actor: Actor, place: Place, ids: readonly string[]) => {
    const { realm } = actor
    const about = kind === 'user' ? place.id : undefined
    await people.change(actor, { right, kind: way === 'assign' ? 'gives' : 'takes', about }, async (judged) => {
      const clientId = await mustBeThere(realm, place)
      const chosen = await find(realm, place, ids)
      const names = await namesOf(realm, clientId, chosen)
      judged.mustHold(names, 'id')
      if (way === 'unassign' && names.includes('quayside-admin'))
        await judged.mustLeaveAnAdministrator(({ person, through }) =>
          kind === 'user' ? person.id === place.id : through.some((step) => step.id === place.id),
        )
      const payload = chosen.map((one) => ({ id: one.id ?? '', name: one.name ?? '' }))
      try {
        await keycloak.run((kc) => calls[way](kc, { realm, ...place }, payload))
      } catch (error) {
        throw refusalOf(error)
      }
    })
  }

  return {
    assigned: ({ realm }: Actor, place: Place) => read(realm, place, calls.assigned),
    available: ({ realm }: Actor, place: Place) => read(realm, place, calls.available),
    effective: ({ realm }: Actor, place: Place) => read(realm, place, calls.effective),
    assign: change('assign'),
    unassign: change('unassign'),
  }
}

type Way = Pick<HeldRole, 'through'> & { id: string }

function toHeld(roles: readonly Way[], mapped: MappingsRepresentation): HeldRole[] {
  const assigned = new Map<string, HeldRole['assigned']>()
  for (const one of mapped.realmMappings ?? []) assigned.set(one.name ?? '', { id: one.id ?? '', cid: null })
  for (const { id: cid, client, mappings } of Object.values(mapped.clientMappings ?? {}) as ClientMappings[])
    for (const one of mappings) assigned.set(`${client}:${one.name}`, { id: one.id ?? '', cid })
  return roles
    .map(({ id, through }) => {
      const at = id.indexOf(':')
      const own = through.length === 0 ? (assigned.get(id) ?? null) : null
      return at < 0
        ? { name: id, client: null, through, assigned: own }
        : { name: id.slice(at + 1), client: id.slice(0, at), through, assigned: own }
    })
    .sort(
      (one, other) =>
        (one.client ?? '').localeCompare(other.client ?? '') ||
        one.name.localeCompare(other.name) ||
        one.through.length - other.through.length,
    )
}
