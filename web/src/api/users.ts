import { users } from '@quayside/contract/users/endpoints'
import { userSorts } from '@quayside/contract/users/sorts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'
import { orderOf } from './order.ts'

export const usersPerPage = 50

/** A page of the people of the realm, searched and sorted by the server. */
export function useUsers(search: string, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['users', search, sort, skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(api, users.findUsers, {
        signal,
        query: { search, sort: orderOf(sort, userSorts), page: { skip, limit: usersPerPage } },
      }),
  })
}
