import type { Cluster, ClusterEvent, ClusterNode } from '@quayside/contract/cluster'
import type { ListReply } from '@quayside/contract/paging'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'

export interface NewCluster {
  displayName: string
  kubeconfig: string
  context?: string
  clusterScoped: boolean
}

export interface StorageClass {
  metadata: { name: string }
  provisioner: string
  isDefault: boolean
}

export interface HealthReport {
  healthy: boolean
  checks: { name: string; state: 'ok' | 'warning' | 'failed'; message: string }[]
}

const one = (id: string) => `/cluster/v1/clusters/${encodeURIComponent(id)}`

function useRead<T>(key: unknown[], path: string, query?: Record<string, unknown>) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['clusters', ...key, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.get<T>(path, { signal, query }),
  })
}

export const useClusters = (search: string) =>
  useRead<ListReply<Cluster>>(['list'], '/cluster/v2/clusters', { search, page: { skip: 0, limit: 200 } })
export const useCluster = (id: string) => useRead<Cluster>(['one', id], one(id))
export const useNodes = (id: string) => useRead<{ data: ClusterNode[] }>(['nodes', id], `${one(id)}/nodes`)
export const useHealth = (id: string) => useRead<HealthReport>(['health', id], `${one(id)}/healthCheck`)
export const useStorageClasses = (id: string) =>
  useRead<{ data: StorageClass[] }>(['storage', id], `${one(id)}/storageClasses`)
export const eventsPerPage = 50
export const useEvents = (id: string, search: string, type: string | undefined, skip: number) =>
  useRead<ListReply<ClusterEvent>>(['events', id], `/cluster/v2/clusters/${encodeURIComponent(id)}/events`, {
    search,
    filters: { type },
    page: { skip, limit: eventsPerPage },
  })

export function useAddCluster() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: NewCluster) => api.post<Cluster>('/cluster/v1/clusters', input),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['clusters'] }),
  })
}

export function useDeregisterCluster() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete<void>(one(id)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['clusters'] }),
  })
}
