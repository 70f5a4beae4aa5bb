import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { User } from '@quayside/contract/users/endpoints'
import { listReply, mustKnowFilters, mustNotSort } from '../../platform/http/listing.ts'
import { toUser } from './representations.ts'

const pageSize = 1000
/** People of one group or role who are looked through at most. */
const mostPages = 50

type Read = (window: { first: number; max: number }) => Promise<UserRepresentation[]>

/**
 * A page of people whom Keycloak lists in some order without a search or a count: they are read through, searched by user
 * name, names and address, and sorted by user name here.
 */
export async function pageOfPeople(read: Read, query: ListQuery, path: string): Promise<ListReply<User>> {
  mustKnowFilters(query.filters, [])
  mustNotSort(query.sort)
  const people: User[] = []
  for (let page = 0; page < mostPages; page += 1) {
    const found = await read({ first: page * pageSize, max: pageSize })
    people.push(...found.map(toUser))
    if (found.length < pageSize) break
  }
  const text = query.search?.trim().toLowerCase() ?? ''
  const matching = people
    .filter((user) =>
      [user.username, user.firstName, user.lastName, user.email].some((one) => one?.toLowerCase().includes(text)),
    )
    .sort((one, other) => one.username.localeCompare(other.username))
  const { skip, limit } = query.page
  return listReply(matching.slice(skip, skip + limit), matching.length, query, path)
}
