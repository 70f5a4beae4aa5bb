import { clients, type ServiceAccountClient } from '@quayside/contract/clients/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'

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
