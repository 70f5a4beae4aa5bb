import { credentials } from '@quayside/contract/users/credentials'
import type { RequiredAction } from '@quayside/contract/users/rules'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { userKey } from './users.ts'

export function useCredentials(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...userKey(id), 'credentials'],
    queryFn: async ({ signal }) => (await call(api, credentials.listCredentials, { params: { id }, signal })).data,
  })
}

export function useUserLinks(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...userKey(id), 'links'],
    queryFn: async ({ signal }) => (await call(api, credentials.listLinks, { params: { id }, signal })).data,
  })
}

export function useUserSessions(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...userKey(id), 'sessions'],
    queryFn: async ({ signal }) => (await call(api, credentials.listSessions, { params: { id }, signal })).data,
  })
}

export function useConsents(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...userKey(id), 'consents'],
    queryFn: async ({ signal }) => (await call(api, credentials.listConsents, { params: { id }, signal })).data,
  })
}

/** A change of how somebody signs in; what is shown of them is read again afterwards. */
function useChange<T>(id: string, work: (api: ReturnType<typeof usePortal>['api'], input: T) => Promise<unknown>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: T) => work(api, input),
    onSettled: () => queries.invalidateQueries({ queryKey: userKey(id) }),
  })
}

export const useResetPassword = (id: string) =>
  useChange(id, (api, body: { value: string; temporary: boolean }) =>
    call(api, credentials.resetPassword, { params: { id }, body }),
  )

export const useDeleteCredential = (id: string) =>
  useChange(id, (api, cid: string) => call(api, credentials.deleteCredential, { params: { id, cid } }))

export const useRemoveLink = (id: string) =>
  useChange(id, (api, provider: string) => call(api, credentials.removeLink, { params: { id, provider } }))

export const useMailActions = (id: string) =>
  useChange(id, (api, body: RequiredAction[]) => call(api, credentials.mailActions, { params: { id }, body }))

export const useEndSessions = (id: string) =>
  useChange<void>(id, (api) => call(api, credentials.endSessions, { params: { id } }))
