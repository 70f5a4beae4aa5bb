import type { Group } from '@quayside/contract/groups/endpoints'

/** One visible line of the tree. */
export interface GroupLine {
  group: Group
  level: number
  open: boolean
}

/** The lines of a tree whose branches are open or closed; a search opens the way to every hit and hides the rest. */
export function flattenGroups(
  groups: readonly Group[],
  closed: ReadonlySet<string>,
  search: string,
  level = 1,
): GroupLine[] {
  const wanted = search.trim().toLowerCase()
  return groups.flatMap((group) => {
    const below = flattenGroups(group.subGroups, closed, search, level + 1)
    if (wanted !== '' && below.length === 0 && !group.name.toLowerCase().includes(wanted)) return []
    const open = wanted !== '' ? below.length > 0 : !closed.has(group.id)
    return [{ group, level, open }, ...(open ? below : [])]
  })
}

/** All groups of a tree, at every depth. */
export function countGroups(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + 1 + countGroups(group.subGroups), 0)
}

/** The group of this id, anywhere in the tree. */
export function findGroup(groups: readonly Group[], id: string): Group | undefined {
  for (const group of groups) {
    const found = group.id === id ? group : findGroup(group.subGroups, id)
    if (found !== undefined) return found
  }
  return undefined
}
