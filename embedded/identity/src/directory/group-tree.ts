import type { JsonObject } from '../http/exchange.ts'
import { type Group, groupToJson } from './groups.ts'

interface GroupQuery {
  search?: string
  exact: boolean
  first: number
  max?: number
  brief: boolean
  withSubGroups: boolean
}

function matches(group: Group, query: GroupQuery): boolean {
  if (query.search === undefined) return true
  return query.exact ? group.name === query.search : group.name.toLowerCase().includes(query.search.toLowerCase())
}

/** The tree below the top-level groups; with a search, only groups that match and the way down to them. */
export function searchTree(groups: readonly Group[], query: GroupQuery): JsonObject[] {
  const wanted = new Set<string>()
  const byId = new Map(groups.map((group) => [group.id, group]))
  for (const group of groups) {
    if (!matches(group, query)) continue
    for (
      let at: Group | undefined = group;
      at && !wanted.has(at.id);
      at = at.parent ? byId.get(at.parent) : undefined
    ) {
      wanted.add(at.id)
    }
  }
  const childrenOf = Map.groupBy(groups, (group) => group.parent)
  const write = (group: Group): JsonObject => ({
    ...groupToJson(group, query.brief),
    subGroups:
      query.withSubGroups || query.search !== undefined
        ? (childrenOf.get(group.id) ?? []).filter((child) => wanted.has(child.id)).map(write)
        : [],
  })
  const top = (childrenOf.get(null) ?? []).filter((group) => wanted.has(group.id))
  return top.slice(query.first, query.max === undefined ? undefined : query.first + query.max).map(write)
}
