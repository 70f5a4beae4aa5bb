import type GroupRepresentation from '@keycloak/keycloak-admin-client/lib/defs/groupRepresentation.js'
import type MappingsRepresentation from '@keycloak/keycloak-admin-client/lib/defs/mappingsRepresentation.js'
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js'
import type { Group } from '@quayside/contract/groups/endpoints'
import type { Step } from '@quayside/contract/permissions/endpoints'
import { allPages } from '../../adapters/keycloak/all-pages.ts'
import { ignoreGone } from '../../adapters/keycloak/gone.ts'
import type { GroupTree } from '../../adapters/keycloak/group-tree.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { withDescendants } from '../../adapters/keycloak/people-of-groups.ts'
import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import { type PrincipalName, toPerson } from './principals.ts'

/** How a person holds a role or is in a group: the steps between the two, each a group or a role. */
interface WayTo {
  /** A role of the realm, or `client:role`; the id of a group. */
  id: string
  through: Step[]
}

/** A person with every group and role that they have, and how they come to it. */
export interface Standing {
  person: PrincipalName & { username: string }
  isEnabled: boolean
  groups: WayTo[]
  roles: WayTo[]
}

/** A person whom a principal of a list stands for: a member of the group, or a holder of the role. */
export interface PrincipalMember {
  person: PrincipalName & { username: string }
  isEnabled: boolean
  through: Step[]
}

const atOnce = 6
const most = 1000

/** Everybody in a group or below it, with the groups between them and it. */
async function inGroup(
  keycloak: Keycloak,
  realm: string,
  group: Group,
  above: Step[] = [],
): Promise<PrincipalMember[]> {
  const through = [stepOf(group), ...above]
  const [direct, below] = await Promise.all([
    members(keycloak, realm, group.id),
    mapLimit(1, group.subGroups, (child) => inGroup(keycloak, realm, child, through)),
  ])
  return [...direct.map((user) => ({ ...toMember(user), through })), ...below.flat()]
}

/** The ways between people, groups and roles of a realm: rarely asked for, so they are looked up each time. */
export function createRoleWays(keycloak: Keycloak, roles: RealmRoles, groups: Pick<GroupTree, 'tree'>) {
  return {
    /** Undefined for a user who is not there. */
    async standing(realm: string, id: string): Promise<Standing | undefined> {
      const user = await keycloak.run((kc) => kc.users.findOne({ realm, id })).catch(ignoreGone)
      if (!user) return undefined
      const contents = createContents(roles, realm)
      const [found, mapped] = await Promise.all([
        chains(keycloak, realm, id),
        keycloak.run((kc) => kc.users.listRoleMappings({ realm, id })).catch(ignoreGone),
      ])
      const inGroups = found.flatMap((chain) =>
        chain.map((step, at) => ({ id: step.id, through: chain.slice(0, at + 1) })),
      )
      const byGroups = await mapLimit(atOnce, inGroups, async (way) => {
        const ways = await rolesByGroup(keycloak, realm, way.id, contents)
        return ways.map((each) => ({ id: each.id, through: [...way.through, ...each.through] }))
      })
      return {
        person: toSomebody(user),
        isEnabled: user.enabled !== false,
        groups: inGroups,
        roles: [...(await expand(mapped ?? {}, contents)), ...byGroups.flat()],
      }
    },

    standingOfGroup: (realm: string, id: string) => standingOfGroup(keycloak, roles, realm, id),

    rolesOfGroups: (realm: string, ids: readonly string[]) => rolesOfGroups(keycloak, roles, realm, ids),
    ofDefaultGroups: (realm: string) => ofDefaultGroups(keycloak, roles, realm),

    /** Everybody in these groups and with these roles, by the id of the group or the name of the role. */
    async membersOf(
      realm: string,
      wanted: { groups: readonly string[]; roles: readonly string[] },
    ): Promise<Map<string, PrincipalMember[]>> {
      const contents = createContents(roles, realm)
      const tree = withDescendants(await groups.tree(realm))
      const found = new Map<string, PrincipalMember[]>()
      const add = (id: string, members: readonly PrincipalMember[]) =>
        found.set(id, [...(found.get(id) ?? []), ...members])
      await mapLimit(
        atOnce,
        tree.filter(({ id }) => wanted.groups.includes(id)),
        async (group) => add(group.id, await inGroup(keycloak, realm, group)),
      )
      if (wanted.roles.length === 0) return found
      await mapLimit(atOnce, tree, async (group) => {
        const ways = (await rolesByGroup(keycloak, realm, group.id, contents)).filter(({ id }) =>
          wanted.roles.includes(id),
        )
        if (ways.length === 0) return
        const people = await inGroup(keycloak, realm, group)
        for (const { id, through } of ways)
          add(
            id,
            people.map((one) => ({ ...one, through: [...one.through, ...through] })),
          )
      })
      await mapLimit(atOnce, await sources(roles, realm, wanted.roles, contents), async ({ name, gives }) => {
        const people = (await holders(keycloak, realm, name)).map(toMember)
        for (const id of gives) {
          const through: Step[] = id === name ? [] : [{ kind: 'role', id: name, name }]
          add(
            id,
            people.map((one) => ({ ...one, through })),
          )
        }
      })
      return found
    },
  }
}
export type RoleWays = ReturnType<typeof createRoleWays>

/** A group with those above it, the nearest first, and the roles that its members have by it; undefined for none. */
async function standingOfGroup(
  keycloak: Keycloak,
  roles: RealmRoles,
  realm: string,
  id: string,
): Promise<{ groups: Step[]; roles: WayTo[] } | undefined> {
  const group = await keycloak.run((kc) => kc.groups.findOne({ realm, id })).catch(ignoreGone)
  if (!group) return undefined
  const contents = createContents(roles, realm)
  const chain = await chainOf(keycloak, realm, group)
  const found = await mapLimit(atOnce, [...chain.entries()], async ([at, step]) => {
    const ways = await rolesByGroup(keycloak, realm, step.id, contents)
    return ways.map((way) => ({ id: way.id, through: [...chain.slice(1, at + 1), ...way.through] }))
  })
  return { groups: chain, roles: found.flat() }
}

function stepOf({ id, name }: { id?: string | undefined; name?: string | undefined }): Step {
  return { kind: 'group', id: id ?? '', name: name ?? '' }
}

const toSomebody = (user: UserRepresentation) => ({ ...toPerson(user), username: user.username ?? '' })
const toMember = (user: UserRepresentation) => ({ person: toSomebody(user), isEnabled: user.enabled !== false })

/** @param role the role itself, where it is at hand; without it, it is looked up among those of the realm */
type Contents = (name: string, role?: RoleRepresentation) => Promise<string[]>

/** Names of the roles inside of a role, roles of clients as `client:role`; asked for once. */
export function createContents(roles: RealmRoles, realm: string): Contents {
  const known = new Map<string, Promise<string[]>>()
  return (name, given) => {
    const found =
      known.get(name) ??
      (given ? Promise.resolve(given) : roles.find(realm, name)).then(async (role) => {
        if (!role?.composite) return []
        const { realmRoles, resourceRoles } = await roles.contentOf(realm, role)
        return [...realmRoles, ...resourceRoles]
      })
    known.set(name, found)
    return found
  }
}

/** The mapped roles, and the roles inside of them, each with the step through it. */
async function expand(mapped: MappingsRepresentation, contents: Contents): Promise<WayTo[]> {
  const ofClients = Object.values(mapped.clientMappings ?? {}).flatMap(
    ({ client, mappings = [] }: { client?: string; mappings?: RoleRepresentation[] }) =>
      mappings.map((role) => ({ id: `${client}:${role.name}`, role })),
  )
  const ofRealm = (mapped.realmMappings ?? []).map((role) => ({ id: role.name ?? '', role }))
  const all = [...ofRealm, ...ofClients]
  const inside = await Promise.all(
    all.map(async ({ id: outer, role }) => {
      const step: Step = { kind: 'role', id: outer, name: role.name ?? '' }
      return (await contents(outer, role)).map((id) => ({ id, through: [step] }))
    }),
  )
  return [...all.map(({ id }) => ({ id, through: [] })), ...inside.flat()]
}

/** Each group of a user with those above it, the nearest first. */
async function chains(keycloak: Keycloak, realm: string, id: string): Promise<Step[][]> {
  const ask = (page: object) => keycloak.run((kc) => kc.users.listGroups({ realm, id, ...page }))
  const direct = (await allPages(ask).catch(ignoreGone)) ?? []
  return mapLimit(atOnce, direct, (group) => chainOf(keycloak, realm, group))
}

async function chainOf(keycloak: Keycloak, realm: string, group: GroupRepresentation): Promise<Step[]> {
  const chain: Step[] = [stepOf(group)]
  for (let above = group.parentId; above !== undefined; ) {
    const parentId: string = above
    const parent = await keycloak.run((kc) => kc.groups.findOne({ realm, id: parentId })).catch(ignoreGone)
    if (!parent) break
    chain.push(stepOf(parent))
    above = parent.parentId
  }
  return chain
}

/** Names of the roles that these groups give by themselves, without those above them. */
async function rolesOfGroups(
  keycloak: Keycloak,
  roles: RealmRoles,
  realm: string,
  ids: readonly string[],
): Promise<string[]> {
  const contents = createContents(roles, realm)
  const ways = await mapLimit(atOnce, ids, (id) => rolesByGroup(keycloak, realm, id, contents))
  return [...new Set(ways.flat().map((way) => way.id))]
}

/** Ids of the groups that new users are in, with the groups above these, and names of the roles that they have by them. */
export async function ofDefaultGroups(
  keycloak: Keycloak,
  roles: RealmRoles,
  realm: string,
): Promise<{ groups: string[]; roles: string[] }> {
  const contents = createContents(roles, realm)
  const groups = await keycloak.run((kc) => kc.realms.getDefaultGroups({ realm }))
  const all = await mapLimit(atOnce, groups, async ({ id = '' }) => {
    const group = await keycloak.run((kc) => kc.groups.findOne({ realm, id })).catch(ignoreGone)
    const chain = group ? await chainOf(keycloak, realm, group) : []
    const held = await mapLimit(1, chain, (step) => rolesByGroup(keycloak, realm, step.id, contents))
    return { chain, held: held.flat() }
  })
  return {
    groups: [...new Set(all.flatMap(({ chain }) => chain.map((step) => step.id)))],
    roles: [...new Set(all.flatMap(({ held }) => held.map((way) => way.id)))],
  }
}

async function rolesByGroup(keycloak: Keycloak, realm: string, id: string, contents: Contents): Promise<WayTo[]> {
  const held = await keycloak.run((kc) => kc.groups.listRoleMappings({ realm, id })).catch(ignoreGone)
  return expand(held ?? {}, contents)
}

/** The roles that somebody can hold directly to come to these: they themselves, and those of the realm around them. */
async function sources(roles: RealmRoles, realm: string, wanted: readonly string[], contents: Contents) {
  const all = (await roles.list(realm)).filter(({ composite }) => composite).map(({ name }) => name)
  const names = [...new Set([...wanted, ...all])]
  const made = await mapLimit(atOnce, names, async (name) => {
    const inside = name.includes(':') ? [] : await contents(name)
    return { name, gives: wanted.filter((id) => id === name || inside.includes(id)) }
  })
  return made.filter(({ gives }) => gives.length > 0)
}

/** Users to whom the role itself is mapped. */
async function holders(keycloak: Keycloak, realm: string, name: string): Promise<UserRepresentation[]> {
  const at = name.indexOf(':')
  const query = { realm, first: 0, max: most, briefRepresentation: true }
  if (at < 0)
    return (await keycloak.run((kc) => kc.roles.findUsersWithRole({ ...query, name })).catch(ignoreGone)) ?? []
  const [client] = await keycloak.run((kc) => kc.clients.find({ realm, clientId: name.slice(0, at) }))
  if (!client?.id) return []
  const mapped = { ...query, id: client.id, roleName: name.slice(at + 1) }
  return (await keycloak.run((kc) => kc.clients.findUsersWithRole(mapped)).catch(ignoreGone)) ?? []
}

async function members(keycloak: Keycloak, realm: string, id: string): Promise<UserRepresentation[]> {
  const asked = { realm, id, max: most, briefRepresentation: true }
  return (await keycloak.run((kc) => kc.groups.listMembers(asked)).catch(ignoreGone)) ?? []
}
