import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { User } from '@quayside/contract/users/endpoints'
import type { GroupTree } from '../../adapters/keycloak/group-tree.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { pageOfPeople } from '../../adapters/keycloak/page-of-people.ts'
import { countPeople } from '../../adapters/keycloak/people-of-groups.ts'
import { toUser } from '../../adapters/keycloak/representations.ts'

/** Groups of a realm and the people in them. */
export function createGroups(keycloak: Keycloak, { tree, find, members }: GroupTree) {
  return {
    tree,
    people: async (realm: string, ids: readonly string[]): Promise<number> =>
      ids.length === 0 ? 0 : countPeople(keycloak, realm, await tree(realm), new Set(ids)),
    async membersOf(realm: string, id: string): Promise<User[]> {
      await find(realm, id)
      return (await members(realm, id)).map(toUser)
    },
    async findMembers(realm: string, id: string, query: ListQuery, path: string): Promise<ListReply<User>> {
      await find(realm, id)
      const asked = { realm, id, briefRepresentation: true }
      return pageOfPeople((page) => keycloak.run((kc) => kc.groups.listMembers({ ...asked, ...page })), query, path)
    },
  }
}
export type Groups = ReturnType<typeof createGroups>
