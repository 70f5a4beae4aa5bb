import type GroupRepresentation from '@keycloak/keycloak-admin-client/lib/defs/groupRepresentation.js'
import type { Group } from '@quayside/contract/groups/endpoints'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import { allPages } from './all-pages.ts'
import type { Keycloak } from './keycloak.ts'
import { orNotFound } from './or-not-found.ts'

const everything = 1000
const atOnce = 6

/** Groups of a realm with everything below them. */
export function createGroupTree(keycloak: Keycloak) {
  const members = (realm: string, id: string) =>
    keycloak.run((kc) => kc.groups.listMembers({ realm, id, max: everything, briefRepresentation: true }))

  /** A group with everything below it. Keycloak hands out one level at a time. */
  async function withChildren(realm: string, group: GroupRepresentation): Promise<Group> {
    const id = group.id ?? ''
    const children =
      (group.subGroupCount ?? 0) === 0
        ? []
        : await allPages((page) => keycloak.run((kc) => kc.groups.listSubGroups({ realm, parentId: id, ...page })))
    const [subGroups, people] = await Promise.all([
      mapLimit(atOnce, children, (child) => withChildren(realm, child)),
      members(realm, id),
    ])
    return { id, name: group.name ?? '', path: group.path ?? '', memberCount: people.length, subGroups }
  }

  const find = (realm: string, id: string) =>
    orNotFound(
      'iam.group-not-found',
      keycloak.run((kc) => kc.groups.findOne({ realm, id })),
    )

  return {
    async tree(realm: string): Promise<Group[]> {
      const top = await allPages((page) =>
        keycloak.run((kc) => kc.groups.find({ realm, ...page, briefRepresentation: true })),
      )
      return mapLimit(atOnce, top, (group) => withChildren(realm, group))
    },
    find,
    members,
    get: async (realm: string, id: string): Promise<Group> => withChildren(realm, await find(realm, id)),
  }
}
export type GroupTree = ReturnType<typeof createGroupTree>
