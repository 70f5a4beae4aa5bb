import { isThere } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Undo } from '../../adapters/keycloak/undo.ts'
import { type Actor, holds } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import { madeForApp } from './app-client.ts'
import { AccessFailed, type AccessTarget } from './outcome.ts'

export interface AccessGroup {
  id: string | null
  name: string
  resourceRoles: string[]
}

type FoundGroup = { id?: string; name?: string; parentId?: string; attributes?: Record<string, string[]> }

/** Names that people take for one another are one name: a new group must not pass for one that is there. */
const sameName = (one: string, other: string) => readOf(one) === readOf(other)
const readOf = (name: string) => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

async function topGroupsNamed(keycloak: Keycloak, realm: string, name: string): Promise<FoundGroup[]> {
  const found = await keycloak.run((kc) => kc.groups.find({ realm, max: everything, briefRepresentation: false }))
  return found.filter((group) => !group.parentId && sameName(group.name ?? '', name))
}

const everything = 10_000

const isMadeFor = (group: FoundGroup, appId: string) => group.attributes?.[madeForApp]?.includes(appId) ?? false
const taken = (name: string) => `A group named ${name} exists already. Choose that group itself.`

/**
 * Refuses new groups of somebody who may not make groups, and names that groups have already: roles given to a name
 * would reach whoever is in the group that has it. Existing groups are named by their ids.
 */
export async function checkNewGroups(
  keycloak: Keycloak,
  actor: Actor,
  appId: string,
  groups: readonly AccessGroup[],
  field: string,
): Promise<void> {
  for (const [index, { id, name }] of groups.entries()) {
    if (id !== null) continue
    const place = `${field}.${index}.name`
    if (name.trim() === '') throw fail('request.invalid', { field: place, message: `${place}: a group needs a name` })
    const there = await topGroupsNamed(keycloak, actor.realm, name)
    if (there.some((group) => isMadeFor(group, appId))) continue
    if (!holds(actor, 'iam-groups', 'groups.create')) {
      const needs = [{ section: 'iam-groups', role: 'groups.create' }]
      throw fail('auth.forbidden', { field: place, details: { needs } })
    }
    if (there.length > 0) throw fail('request.invalid', { field: place, message: `${place}: ${taken(name)}` })
  }
}

interface Making {
  keycloak: Keycloak
  target: AccessTarget
  undo: Undo
  /** Tells whether the person who started this may make groups now. */
  mayMakeGroups: boolean
}

/**
 * The group by its id; of a group without an id the one that this app's deployment made, else a new one. Undefined for
 * one that is gone.
 */
export async function ensureGroup(making: Making, wanted: AccessGroup): Promise<string | undefined> {
  const { keycloak, target, undo, mayMakeGroups } = making
  const { realm, appId } = target
  const { id: known, name } = wanted
  if (known !== null) return (await keycloak.run((kc) => kc.groups.findOne({ realm, id: known })))?.id
  const findOwn = async () => {
    const there = await topGroupsNamed(keycloak, realm, name)
    const own = there.find((group) => isMadeFor(group, appId))
    if (there.length > 0 && !own) throw new AccessFailed('GroupFaild', taken(name))
    return own?.id
  }
  const own = await findOwn()
  if (own) return own
  if (!mayMakeGroups)
    throw new AccessFailed(
      'GroupFaild',
      `The group ${name} cannot be made: the person who started this may not make groups`,
    )
  const attributes = { [madeForApp]: [appId] }
  const id = await keycloak
    .run((kc) => kc.groups.create({ realm, name, attributes }))
    .then((made) => made.id)
    .catch(async (error: unknown) => {
      // A try whose answer was lost has made it.
      const made = isThere(error) ? await findOwn() : undefined
      if (!made) throw error
      return made
    })
  undo.add(() => keycloak.run((kc) => kc.groups.del({ realm, id })))
  return id
}
