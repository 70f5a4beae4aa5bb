import { clientAdministration } from '@quayside/contract/clients/administration'
import { clients, type ServiceAccountClient } from '@quayside/contract/clients/endpoints'
import { clientSorts } from '@quayside/contract/clients/sorts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'
import { orderOf } from './lists/order.ts'

const clientsKey = ['clients'] as const

export type NewClient = z.infer<typeof ServiceAccountClient>

/** The clients of scripts; those of the portal itself are left out. */
export function useScriptClients() {
  const { api } = usePortal()
  return useQuery({
    queryKey: clientsKey,
    queryFn: async ({ signal }) =>
      (await call(api, clients.listClients, { signal })).data.filter(({ serviceAccount }) => serviceAccount),
  })
}

/** The clients that define roles: those of the portal and of apps. */
export function useRoleClients() {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...clientsKey, 'with roles'],
    retry: false,
    queryFn: async ({ signal }) =>
      (await call(api, clients.listClients, { signal })).data.filter(
        ({ serviceAccount, roles }) => !serviceAccount && roles.length > 0,
      ),
  })
}

export function useCreateClient() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof clients.createClient>['body']) => call(api, clients.createClient, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: clientsKey }),
  })
}

export function useDeleteClient() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, clients.deleteClient, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: clientsKey }),
  })
}

const clientsPerPage = 50

interface ClientPage {
  search: string
  kind: string | undefined
  sort: string | undefined
  skip: number
}

/** A page of the clients of the realm, searched and sorted by the server. */
export function useClientPage({ search, kind, sort, skip }: ClientPage) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...clientsKey, 'page', search, kind, sort, skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(api, clientAdministration.findClients, {
        signal,
        query: {
          ...{ search, sort: orderOf(sort, clientSorts), page: { skip, limit: clientsPerPage } },
          ...(kind === undefined ? {} : { filters: { kind } }),
        },
      }),
  })
}

export function useClient(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...clientsKey, 'one', id],
    queryFn: ({ signal }) => call(api, clientAdministration.getClientDetail, { params: { id }, signal }),
  })
}

/** A page of who is signed in with a client. */
export function useClientSessions(id: string, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...clientsKey, 'one', id, 'sessions', skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(api, clientAdministration.findClientSessions, {
        ...{ params: { id }, signal },
        query: { page: { skip, limit: clientsPerPage } },
      }),
  })
}

/** A change of clients; whatever is shown of clients is read again. */
function useClientChange<T, R>(work: (api: Api, input: T) => Promise<R>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: T) => work(api, input),
    onSettled: () => queries.invalidateQueries({ queryKey: clientsKey }),
  })
}

export const useCreateApplication = () =>
  useClientChange((api, body: InputOf<typeof clientAdministration.createApplication>['body']) =>
    call(api, clientAdministration.createApplication, { body }),
  )

export const useUpdateClient = (id: string) =>
  useClientChange((api, body: InputOf<typeof clientAdministration.updateClient>['body']) =>
    call(api, clientAdministration.updateClient, { params: { id }, body }),
  )

export const useRenewSecret = () =>
  useClientChange((api, id: string) => call(api, clientAdministration.renewSecret, { params: { id } }))

/** Deletes an application; the page that shows it is about to be left. */
export function useDeleteApplication(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(api, clientAdministration.deleteApplication, { params: { id } }),
    onSuccess: async () => {
      queries.removeQueries({ queryKey: [...clientsKey, 'one', id] })
      await queries.invalidateQueries({ queryKey: clientsKey })
    },
  })
}
