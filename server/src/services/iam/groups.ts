import type GroupRepresentation from '@keycloak/keycloak-admin-client/lib/defs/groupRepresentation.js'
import type { Group, User } from '@quayside/contract/iam'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { mapAtOnce } from './at-once.ts'
import { countPeople } from './people-of-groups.ts'
import { toUser } from './representations.ts'
import { orNotFound } from './users.ts'

const everything = 1000
const atOnce = 6

export function createGroups(keycloak: Keycloak) {
  const members = (realm: string, id: string) =>
    keycloak.run((kc) => kc.groups.listMembers({ realm, id, max: everything, briefRepresentation: true }))

  /** A group with everything below it. Keycloak hands out one level at a time. */
  async function withChildren(realm: string, group: GroupRepresentation): Promise<Group> {
    const id = group.id ?? ''
    const children =
      (group.subGroupCount ?? 0) === 0
        ? []
        : await keycloak.run((kc) => kc.groups.listSubGroups({ realm, parentId: id, first: 0, max: everything }))
    const [subGroups, people] = await Promise.all([
      mapAtOnce(atOnce, children, (child) => withChildren(realm, child)),
      members(realm, id),
    ])
    return { id, name: group.name ?? '', path: group.path ?? '', memberCount: people.length, subGroups }
  }

  const find = (realm: string, id: string) =>
    orNotFound(
      'iam.group-not-found',
      keycloak.run((kc) => kc.groups.findOne({ realm, id })),
    )

  async function tree(realm: string): Promise<Group[]> {
    const top = await keycloak.run((kc) =>
      kc.groups.find({ realm, first: 0, max: everything, briefRepresentation: true }),
    )
    return mapAtOnce(atOnce, top, (group) => withChildren(realm, group))
  }

  return {
    tree,
    people: async (realm: string, ids: readonly string[]): Promise<number> =>
      ids.length === 0 ? 0 : countPeople(keycloak, realm, await tree(realm), new Set(ids)),
    get: async (realm: string, id: string): Promise<Group> => withChildren(realm, await find(realm, id)),
    async membersOf(realm: string, id: string): Promise<User[]> {
      await find(realm, id)
      return (await members(realm, id)).map(toUser)
    },
  }
}
