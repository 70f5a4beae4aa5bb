import type GroupRepresentation from '@keycloak/keycloak-admin-client/lib/defs/groupRepresentation.js'
import type { GroupChange, GroupDetail, GroupInput, GroupRef } from '@quayside/contract/groups/endpoints'
import { role } from '@quayside/contract/http/policy'
import type { GroupTree } from '../../adapters/keycloak/group-tree.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { withOwnAttributes } from '../../adapters/keycloak/own-attributes.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { type Actor, holds } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Judged, People } from '../permissions/index.ts'

const right = <R extends Parameters<typeof role<'iam-groups'>>[1]>(name: R) => role('iam-groups', name)

type Tree = Pick<GroupTree, 'find' | 'get'>

/** Creating, changing, moving and deleting groups. */
export function createGroupAdministration(keycloak: Keycloak, tree: Tree, people: People) {
  async function detail(actor: Actor, id: string): Promise<GroupDetail> {
    const [found, group] = await Promise.all([tree.find(actor.realm, id), tree.get(actor.realm, id)])
    return {
      ...group,
      description: found.description ?? '',
      parentId: found.parentId ?? null,
      attributes: holds(actor, 'iam-groups', 'groups.attributes.view')
        ? ((found.attributes ?? {}) as Record<string, string[]>)
        : null,
    }
  }

  const alsoFor = (attributes: object | undefined) =>
    attributes && Object.keys(attributes).length > 0 ? [right('groups.attributes.manage')] : []

  async function levelOf(realm: string, id: string): Promise<number> {
    const { parentId } = await tree.find(realm, id)
    return parentId ? 1 + (await levelOf(realm, parentId)) : 1
  }

  async function create(actor: Actor, input: GroupInput, parent: string | undefined): Promise<GroupDetail> {
    const { realm } = actor
    if (parent !== undefined) mustNotBeTooDeep((await levelOf(realm, parent)) + 1)
    const wanted = { right: right('groups.create'), also: alsoFor(input.attributes), kind: 'gives' as const }
    const made = { ...input, attributes: withOwnAttributes(input.attributes) }
    const id = await people.change(actor, wanted, async () => {
      try {
        if (parent === undefined) return (await keycloak.run((kc) => kc.groups.create({ realm, ...made }))).id
        return (await keycloak.run((kc) => kc.groups.createChildGroup({ realm, id: parent }, made))).id
      } catch (error) {
        throw refusalOf(error)
      }
    })
    return detail(actor, id)
  }

  return {
    detail,
    create: (actor: Actor, input: GroupInput) => create(actor, input, undefined),
    createBelow: (actor: Actor, parent: string, input: GroupInput) => create(actor, input, parent),
    ...createGroupRemovals(keycloak, tree, people),

    async update(actor: Actor, id: string, change: GroupChange): Promise<GroupDetail> {
      const { realm } = actor
      await tree.find(realm, id)
      // Attributes of groups may become claims of their members.
      const kind = change.attributes ? 'gives' : 'takes'
      const also = change.attributes ? [right('groups.attributes.manage')] : []
      await people.change(actor, { right: right('groups.edit'), also, kind }, async (judged) => {
        await judged.mayGiveGroup(id, 'id')
        const { subGroups: _, ...known } = await tree.find(realm, id)
        const attributes = change.attributes && withOwnAttributes(change.attributes, known.attributes)
        const given = Object.entries({ ...change, attributes }).filter(([, value]) => value !== undefined)
        try {
          await keycloak.run((kc) => kc.groups.update({ realm, id }, { ...known, ...Object.fromEntries(given) }))
        } catch (error) {
          throw refusalOf(error)
        }
      })
      return detail(actor, id)
    },
  }
}
export type GroupAdministration = ReturnType<typeof createGroupAdministration>

/** Moving groups and deleting them: their members lose what the groups above gave. */
function createGroupRemovals(keycloak: Keycloak, tree: Tree, people: People) {
  /** Everything that the group and those below it give is the caller's to take, and an administrator stays. */
  async function mustHoldAllBelow(judged: Judged, group: GroupRepresentation): Promise<ReadonlySet<string>> {
    const { realm } = judged.actor
    const id = group.id ?? ''
    const ids = new Set(flat([await tree.get(realm, id)]).map((one) => one.id))
    const below = [...ids].filter((one) => one !== id)
    const given = await judged.mayTakeGroupsBelow(id, below, 'id')
    // Reading who administers takes as long as the realm is large, and everybody waits for it.
    if (given.includes('quayside-admin'))
      await judged.mustLeaveAnAdministrator(({ through }) => through.some((step) => ids.has(step.id)))
    return ids
  }

  return {
    /** Moving takes what the groups above gave, and gives what the new ones give. */
    async move(actor: Actor, id: string, parent: string | undefined): Promise<void> {
      const { realm } = actor
      const moved = await tree.find(realm, id)
      if (parent !== undefined) await tree.find(realm, parent)
      await people.change(actor, { right: right('groups.edit'), kind: 'gives' }, async (judged) => {
        const ids = await mustHoldAllBelow(judged, moved)
        if (parent !== undefined && ids.has(parent))
          throw fail('request.invalid', { field: 'id', message: 'id: a group cannot be moved below itself' })
        if (parent !== undefined) await judged.mayGiveGroup(parent, 'id')
        const payload = { id, name: moved.name ?? '' }
        try {
          if (parent === undefined) await keycloak.run((kc) => kc.groups.updateRoot({ realm, ...payload }))
          else await keycloak.run((kc) => kc.groups.updateChildGroup({ realm, id: parent }, payload))
        } catch (error) {
          throw refusalOf(error, 'id')
        }
      })
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      const group = await tree.find(realm, id)
      await people.change(actor, { right: right('groups.delete'), kind: 'takes' }, async (judged) => {
        await mustHoldAllBelow(judged, group)
        await keycloak.run((kc) => kc.groups.del({ realm, id })).catch(refuse)
      })
    },
  }
}

interface Below {
  id: string
  subGroups: readonly Below[]
}

/** A question about a group asks for each group above it. */
const mostLevels = 20

function mustNotBeTooDeep(level: number): void {
  if (level > mostLevels)
    throw fail('request.invalid', { field: 'id', message: `id: groups are at most ${mostLevels} levels deep` })
}

const flat = (groups: readonly Below[]): Below[] => groups.flatMap((one) => [one, ...flat(one.subGroups)])

/** Groups that every new user is put into. */
export function createDefaultGroups(keycloak: Keycloak, tree: Tree, people: People) {
  const manages = right('groups.default_groups.manage')
  return {
    async list({ realm }: Actor): Promise<GroupRef[]> {
      const found = await keycloak.run((kc) => kc.realms.getDefaultGroups({ realm }))
      return found
        .map(({ id = '', name = '', path = '' }) => ({ id, name, path }))
        .sort((one, other) => one.path.localeCompare(other.path))
    },

    /** Everybody to come gets what the group gives. */
    async add(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      await tree.find(realm, id)
      await people.change(actor, { right: manages, kind: 'gives' }, async (judged) => {
        await judged.mayGiveGroup(id, 'gid')
        await keycloak.run((kc) => kc.realms.addDefaultGroup({ realm, id })).catch(refuse)
      })
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      const known = await keycloak.run((kc) => kc.realms.getDefaultGroups({ realm }))
      if (!known.some((one) => one.id === id)) throw fail('iam.group-not-found', { field: 'gid' })
      await people.change(actor, { right: manages, kind: 'takes' }, async (judged) => {
        await judged.mayGiveGroup(id, 'gid')
        await keycloak.run((kc) => kc.realms.removeDefaultGroup({ realm, id })).catch(refuse)
      })
    },
  }
}
export type DefaultGroups = ReturnType<typeof createDefaultGroups>

function refuse(error: unknown): never {
  throw refusalOf(error)
}
