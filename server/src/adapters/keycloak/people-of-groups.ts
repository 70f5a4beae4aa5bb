import type { Group } from '@quayside/contract/groups/endpoints'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { Keycloak } from './keycloak.ts'

const atOnce = 6
const pageSize = 1000

/** A group and everything below it, top down. */
export function withDescendants(groups: readonly Group[]): Group[] {
  return groups.flatMap((group) => [group, ...withDescendants(group.subGroups)])
}

/** Ids of the chosen groups and of all below them: whoever is in a group has what the groups above it hold. */
export function reachOf(tree: readonly Group[], chosen: ReadonlySet<string>): string[] {
  return tree.flatMap((group) =>
    chosen.has(group.id) ? withDescendants([group]).map(({ id }) => id) : reachOf(group.subGroups, chosen),
  )
}

/** How many people are in any of these groups or below; who is in several counts once. */
export async function countPeople(
  keycloak: Keycloak,
  realm: string,
  tree: readonly Group[],
  chosen: ReadonlySet<string>,
): Promise<number> {
  const people = new Set<string>()
  await mapLimit(atOnce, reachOf(tree, chosen), async (id) => {
    for (let first = 0; ; first += pageSize) {
      const members = await keycloak.run((kc) =>
        kc.groups.listMembers({ realm, id, first, max: pageSize, briefRepresentation: true }),
      )
      for (const member of members) if (member.id !== undefined) people.add(member.id)
      if (members.length < pageSize) return
    }
  })
  return people.size
}
