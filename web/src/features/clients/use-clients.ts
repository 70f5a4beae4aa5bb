import type { Client, Role, ServiceAccountClient, ServiceAccountClientInput } from '@quayside/contract/iam'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { usePortal } from '../../lib/portal.tsx'

export type NewClient = z.infer<typeof ServiceAccountClient>

const key = ['clients']

/** The clients of scripts; those of the portal itself are left out. */
export function useScriptClients() {
  const { api } = usePortal()
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await api.get<{ data: Client[] }>('/iam/v2/clients', { signal })).data.filter(
        ({ serviceAccount }) => serviceAccount,
      ),
  })
}

export function useRoleNames() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['roles', 'names'],
    queryFn: async ({ signal }) =>
      (await api.get<{ data: Role[] }>('/iam/v2/roles', { signal })).data.filter(({ name }) =>
        name.startsWith('quayside-'),
      ),
  })
}

export function useCreateClient() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: z.input<typeof ServiceAccountClientInput>) => api.post<NewClient>('/iam/v2/clients', input),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  })
}

export function useDeleteClient() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete(`/iam/v2/clients/${id}`),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}
