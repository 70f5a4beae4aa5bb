import type { User } from '@quayside/contract/iam'
import type { ListQuery, ListReply } from '@quayside/contract/paging'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { fail } from '../../kernel/errors.ts'
import { filterValues, listReply, orderOf } from '../../kernel/listing.ts'
import { toRef, toUser } from './representations.ts'

const everybody = 1000

/** Which rows to ask for when the order is reversed: Keycloak only counts up by user name. */
export function windowOf(total: number, skip: number, limit: number, reversed: boolean) {
  if (!reversed) return { first: skip, max: limit }
  const end = Math.max(0, total - skip)
  const first = Math.max(0, end - limit)
  return { first, max: end - first }
}

/** A missing user, group or client in the words of our catalogue. */
export async function orNotFound<T>(
  code: 'iam.user-not-found' | 'iam.group-not-found' | 'iam.client-not-found',
  asking: Promise<T | null | undefined>,
): Promise<T> {
  const found = await asking.catch((error: unknown) => {
    if (error instanceof KeycloakRefused && error.status === 404) return undefined
    throw error
  })
  if (found === undefined || found === null) throw fail(code, { field: 'id' })
  return found
}

function enabledFilter(query: ListQuery): boolean | undefined {
  const [value, ...more] = filterValues(query.filters, 'enabled')
  if (value === undefined || more.length > 0) return undefined
  if (value !== 'true' && value !== 'false') {
    throw fail('request.invalid', { field: 'filters.enabled', message: 'filters.enabled: true or false' })
  }
  return value === 'true'
}

export function createUsers(keycloak: Keycloak) {
  const get = (realm: string, id: string) =>
    orNotFound(
      'iam.user-not-found',
      keycloak.run((kc) => kc.users.findOne({ realm, id })),
    )

  return {
    async all(realm: string): Promise<User[]> {
      return (await keycloak.run((kc) => kc.users.find({ realm, max: everybody, briefRepresentation: true }))).map(
        toUser,
      )
    },

    async find(realm: string, query: ListQuery, path: string): Promise<ListReply<User>> {
      const [[, direction] = []] = orderOf(query.sort, { username: 'username' }, [['username', 'asc']])
      const search = query.search?.trim() ? { search: `*${query.search.trim()}*` } : {}
      const enabled = enabledFilter(query)
      const filter = { realm, ...search, ...(enabled === undefined ? {} : { enabled }) }
      const total = await keycloak.run((kc) => kc.users.count(filter))
      const { first, max } = windowOf(total, query.page.skip, query.page.limit, direction === 'desc')
      // A limit of nothing would mean no limit to Keycloak.
      const found =
        max === 0 ? [] : await keycloak.run((kc) => kc.users.find({ ...filter, first, max, briefRepresentation: true }))
      const users = found.map(toUser)
      return listReply(direction === 'desc' ? users.reverse() : users, total, query, path)
    },

    get: async (realm: string, id: string): Promise<User> => toUser(await get(realm, id)),

    async groupsOf(realm: string, id: string) {
      await get(realm, id)
      return (await keycloak.run((kc) => kc.users.listGroups({ realm, id, max: everybody }))).map(toRef)
    },
  }
}
