import type { Group } from '@quayside/contract/groups/endpoints'
import { findGroup } from './flatten-groups.ts'

/** The place of a group that is in no other one. */
export const top = { value: 'top', label: 'The top' }

/** Places to which a group can be moved: the top and every group that is neither its own place, itself nor below it. */
export function placesFor(groups: readonly Group[], moved: Group): { value: string; label: string }[] {
  const options = (level: readonly Group[]): { value: string; label: string }[] =>
    level.flatMap((group) =>
      group.id === moved.id
        ? []
        : [
            ...(group.subGroups.some(({ id }) => id === moved.id) ? [] : [{ value: group.id, label: group.path }]),
            ...options(group.subGroups),
          ],
    )
  const isAtTop = groups.some(({ id }) => id === moved.id)
  return [...(isAtTop ? [] : [top]), ...options(groups)]
}

/** Tells whether a group can be dropped on another one. */
export function canHold(groups: readonly Group[], id: string, movedId: string): boolean {
  const moved = findGroup(groups, movedId)
  return moved !== undefined && placesFor(groups, moved).some(({ value }) => value === id)
}
