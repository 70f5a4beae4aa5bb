import type { Group } from '@quayside/contract/groups/endpoints'

/** Every group of a tree by its path, as options of a select. */
export function groupOptions(groups: readonly Group[]): { value: string; label: string }[] {
  return groups.flatMap(({ id, path, subGroups }) => [{ value: id, label: path }, ...groupOptions(subGroups)])
}
