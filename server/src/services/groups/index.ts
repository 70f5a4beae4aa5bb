import type { User } from '@quayside/contract/users/endpoints'
import { createGroupTree } from '../../adapters/keycloak/group-tree.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { countPeople } from '../../adapters/keycloak/people-of-groups.ts'
import { toUser } from '../../adapters/keycloak/representations.ts'

/** Groups of a realm and the people in them. */
export function createGroups(keycloak: Keycloak) {
  const { tree, get, find, members } = createGroupTree(keycloak)
  return {
    tree,
    get,
    people: async (realm: string, ids: readonly string[]): Promise<number> =>
      ids.length === 0 ? 0 : countPeople(keycloak, realm, await tree(realm), new Set(ids)),
    async membersOf(realm: string, id: string): Promise<User[]> {
      await find(realm, id)
      return (await members(realm, id)).map(toUser)
    },
  }
}
export type Groups = ReturnType<typeof createGroups>
