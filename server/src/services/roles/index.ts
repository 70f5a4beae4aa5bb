import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { Role } from '@quayside/contract/roles/endpoints'
import type { RoleSort } from '@quayside/contract/roles/sorts'
import type { User } from '@quayside/contract/users/endpoints'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { pageOfPeople } from '../../adapters/keycloak/page-of-people.ts'
import type { RealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import { toUser } from '../../adapters/keycloak/representations.ts'
import { fail } from '../../platform/http/errors.ts'
import { listReply, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'

const most = 1000
const sortable: Readonly<Record<RoleSort, RoleSort>> = {
  name: 'name',
  description: 'description',
  composite: 'composite',
}

/** Roles of a realm, and the users to whom they are assigned. */
export function createRoles(keycloak: Keycloak, { list, find }: Pick<RealmRoles, 'list' | 'find'>) {
  async function mustBeThere(realm: string, name: string): Promise<void> {
    if (!(await find(realm, name))) throw fail('iam.role-not-found', { field: 'name' })
  }

  return {
    list,

    /** A realm has few enough roles to sort and search them here. */
    async search(realm: string, query: ListQuery, path: string): Promise<ListReply<Role>> {
      mustKnowFilters(query.filters, [])
      const [[sort, direction] = ['name', 'asc'] as const] = orderOf<RoleSort>(query.sort, sortable, [['name', 'asc']])
      const text = query.search?.trim().toLowerCase() ?? ''
      const found = (await list(realm))
        .filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(text))
        .sort(
          (one, other) => String(one[sort]).localeCompare(String(other[sort])) || one.name.localeCompare(other.name),
        )
      if (direction === 'desc') found.reverse()
      const { skip, limit } = query.page
      return listReply(found.slice(skip, skip + limit), found.length, query, path)
    },

    async users(realm: string, name: string): Promise<User[]> {
      await mustBeThere(realm, name)
      const asked = { realm, name, first: 0, max: most, briefRepresentation: true }
      return (await keycloak.run((kc) => kc.roles.findUsersWithRole(asked))).map(toUser)
    },

    async findUsers(realm: string, name: string, query: ListQuery, path: string): Promise<ListReply<User>> {
      await mustBeThere(realm, name)
      const asked = { realm, name, briefRepresentation: true }
      return pageOfPeople(
        (page) => keycloak.run((kc) => kc.roles.findUsersWithRole({ ...asked, ...page })),
        query,
        path,
      )
    },
  }
}
export type Roles = ReturnType<typeof createRoles>
