import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { User } from '@quayside/contract/users/endpoints'
import { mostSortedUsers, type UserSort } from '@quayside/contract/users/sorts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { orNotFound } from '../../adapters/keycloak/or-not-found.ts'
import { toRef, toUser } from '../../adapters/keycloak/representations.ts'
import { fail } from '../../platform/http/errors.ts'
import { filterValues, listReply, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'

const everybody = 1000

/** Values of a user to sort by; '' where there is none. */
const sortValues: Readonly<Record<UserSort, (user: User) => string | number>> = {
  username: ({ username }) => username,
  name: ({ firstName, lastName, username }) => [firstName, lastName].filter(Boolean).join(' ') || username,
  email: ({ email }) => email ?? '',
  enabled: ({ enabled }) => Number(enabled),
  createdAt: ({ createdAt }) => createdAt ?? '',
}
type Order = readonly (readonly [UserSort, 'asc' | 'desc'])[]
const sortable: Readonly<Record<UserSort, UserSort>> = {
  username: 'username',
  name: 'name',
  email: 'email',
  enabled: 'enabled',
  createdAt: 'createdAt',
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** A sorted copy; who has no value comes last either way, and equals stand by user name. */
export function sortUsers(users: readonly User[], order: Order): User[] {
  return users.toSorted((one, two) => {
    for (const [field, direction] of [...order, ['username', 'asc'] as const]) {
      const [a, b] = [sortValues[field](one), sortValues[field](two)]
      if ((a === '') !== (b === '')) return a === '' ? 1 : -1
      const compared = collator.compare(String(a), String(b))
      if (compared !== 0) return direction === 'asc' ? compared : -compared
    }
    return 0
  })
}

/** The rows to ask for when the order is reversed: Keycloak can only sort by user name, ascending. */
export function windowOf(total: number, skip: number, limit: number, reversed: boolean) {
  if (!reversed) return { first: skip, max: limit }
  const end = Math.max(0, total - skip)
  const first = Math.max(0, end - limit)
  return { first, max: end - first }
}

function enabledFilter(query: ListQuery): boolean | undefined {
  const [value, ...more] = filterValues(query.filters, 'enabled')
  if (value === undefined || more.length > 0) return undefined
  if (value !== 'true' && value !== 'false') {
    throw fail('request.invalid', { field: 'filters.enabled', message: 'filters.enabled: true or false' })
  }
  return value === 'true'
}

function refuseLongSort(sort: UserSort, total: number): void {
  if (total <= mostSortedUsers) return
  throw fail('request.invalid', {
    field: `sort.${sort}`,
    message: `sort.${sort}: ${total} users match, and at most ${mostSortedUsers} are sorted by ${sort}; narrow the search or sort by username`,
  })
}

export function createUsers(keycloak: Keycloak) {
  const get = (realm: string, id: string) =>
    orNotFound(
      'iam.user-not-found',
      keycloak.run((kc) => kc.users.findOne({ realm, id })),
    )

  // A limit of nothing would mean no limit to Keycloak.
  const ask = async (filter: { realm: string }, { first, max }: { first: number; max: number }): Promise<User[]> =>
    max === 0
      ? []
      : (await keycloak.run((kc) => kc.users.find({ ...filter, first, max, briefRepresentation: true }))).map(toUser)

  return {
    async all(realm: string): Promise<User[]> {
      return (await keycloak.run((kc) => kc.users.find({ realm, max: everybody, briefRepresentation: true }))).map(
        toUser,
      )
    },

    async find(realm: string, query: ListQuery, path: string): Promise<ListReply<User>> {
      mustKnowFilters(query.filters, ['enabled'])
      const order = orderOf(query.sort, sortable, [['username', 'asc']])
      const search = query.search?.trim() ? { search: `*${query.search.trim()}*` } : {}
      const enabled = enabledFilter(query)
      const filter = { realm, ...search, ...(enabled === undefined ? {} : { enabled }) }
      const total = await keycloak.run((kc) => kc.users.count(filter))
      const { skip, limit } = query.page
      const [[sort, direction] = ['username', 'asc'] as const] = order
      if (sort !== 'username') {
        refuseLongSort(sort, total)
        const found = await ask(filter, { first: 0, max: mostSortedUsers })
        return listReply(sortUsers(found, order).slice(skip, skip + limit), total, query, path)
      }
      const users = await ask(filter, windowOf(total, skip, limit, direction === 'desc'))
      return listReply(direction === 'desc' ? users.reverse() : users, total, query, path)
    },

    /** The user as the identity server has them. */
    represented: get,
    get: async (realm: string, id: string): Promise<User> => toUser(await get(realm, id)),

    async groupsOf(realm: string, id: string) {
      await get(realm, id)
      return (await keycloak.run((kc) => kc.users.listGroups({ realm, id, max: everybody }))).map(toRef)
    },
  }
}
export type Users = ReturnType<typeof createUsers>
