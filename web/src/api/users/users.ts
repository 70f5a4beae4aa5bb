import { users } from '@quayside/contract/users/endpoints'
import { userSorts } from '@quayside/contract/users/sorts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { orderOf } from '../lists/order.ts'

const usersPerPage = 50

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

/** Everything that is kept of one user stands below this key. */
export const userKey = (id: string) => ['users', 'one', id] as const

export function useUser(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: userKey(id),
    queryFn: ({ signal }) => call(api, users.getUser, { params: { id }, signal }),
  })
}

export function useCreateUser() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof users.createUser>['body']) => call(api, users.createUser, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
}

/** Changes a user; fields that are left out stay as they are. */
export function useUpdateUser(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof users.updateUser>['body']) =>
      call(api, users.updateUser, { params: { id }, body }),
    onSuccess: (user) => {
      queries.setQueryData(userKey(id), user)
      return queries.invalidateQueries({ queryKey: ['users'] })
    },
  })
}

export function useDeleteUser(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(api, users.deleteUser, { params: { id } }),
    onSuccess: async () => {
      queries.removeQueries({ queryKey: userKey(id) })
      await queries.invalidateQueries({ queryKey: ['users'] })
    },
  })
}

export function useUserGroups(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...userKey(id), 'groups'],
    queryFn: async ({ signal }) => (await call(api, users.userGroups, { params: { id }, signal })).data,
  })
}

/** Puts a user into a group, or takes them out. */
export function useChangeMembership(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ way, gid }: { way: 'joinGroup' | 'leaveGroup'; gid: string }) =>
      call(api, users[way], { params: { id, gid } }),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: userKey(id) })
      await queries.invalidateQueries({ queryKey: ['groups'] })
      await queries.invalidateQueries({ queryKey: ['role-mappings'] })
    },
  })
}
