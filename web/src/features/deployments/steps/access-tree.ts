import type { Group } from '@quayside/contract/groups/endpoints'
import type { ChosenGroup } from '../deploy-data.ts'

export interface Role {
  id: string
  name: string
}

/** How much of what stands below a node is chosen. */
type TickState = 'none' | 'some' | 'all'

type Chosen = readonly ChosenGroup[]

export function holdsRole(chosen: Chosen, groupId: string, roleId: string): boolean {
  return chosen.some(({ id, resourceRoles }) => id === groupId && resourceRoles.some((role) => role.id === roleId))
}

/** A group with its subgroups: ticked when every role of all of them is, partly when any is. */
export function stateOfGroup(chosen: Chosen, group: Group, roles: readonly Role[]): TickState {
  const states = new Set<boolean>()
  for (const { id } of withSubgroups([group])) for (const role of roles) states.add(holdsRole(chosen, id, role.id))
  if (!states.has(true)) return 'none'
  return states.has(false) ? 'some' : 'all'
}

/** Ticks or clears a group with everything below it. */
export function setGroup(chosen: Chosen, group: Group, roles: readonly Role[], on: boolean): ChosenGroup[] {
  const below = withSubgroups([group])
  const isBelow = new Set(below.map(({ id }) => id))
  const others = chosen.filter(({ id }) => !isBelow.has(id))
  return on && roles.length > 0
    ? [...others, ...below.map(({ id, name }) => ({ id, name, resourceRoles: [...roles] }))]
    : others
}

/** Gives or takes one role of one group. */
export function setRole(
  chosen: Chosen,
  { id, name }: Group,
  roles: readonly Role[],
  role: Role,
  on: boolean,
): ChosenGroup[] {
  const others = chosen.filter((group) => group.id !== id)
  const held = roles.filter((each) => (each.id === role.id ? on : holdsRole(chosen, id, each.id)))
  return held.length === 0 ? others : [...others, { id, name, resourceRoles: held }]
}

/** Groups that match by their name or hold one below that does; a role's name shows every group. */
export function matchingGroups(groups: readonly Group[], roles: readonly Role[], search: string): Group[] {
  const wanted = search.trim().toLowerCase()
  const has = (text: string) => text.toLowerCase().includes(wanted)
  if (wanted === '' || roles.some(({ name }) => has(name))) return [...groups]
  return groups.flatMap((group) => {
    if (has(group.name)) return [group]
    const subGroups = matchingGroups(group.subGroups, roles, search)
    return subGroups.length === 0 ? [] : [{ ...group, subGroups }]
  })
}

/** All groups of a tree, each before those below it. */
export function withSubgroups(groups: readonly Group[]): Group[] {
  return groups.flatMap((group) => [group, ...withSubgroups(group.subGroups)])
}
