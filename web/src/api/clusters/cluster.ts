import { clusters } from '@quayside/contract/clusters/endpoints'
import { clusterSorts } from '@quayside/contract/clusters/sorts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf, type ReplyOf } from '../client.ts'
import { actionsKey } from '../deployments/actions.ts'
import { orderOf } from '../lists/order.ts'
import { useLive } from '../live.ts'
import { clusterListQuery, clustersKey, storageClassesQuery } from './clusters.ts'

const clustersPerPage = 50

/** The order of the list of clusters unless another one is asked for. */
export const usualClusterSort = 'displayName'

/** A page of clusters, searched and sorted by the server. */
export function useClusters(search: string, sort: string, skip: number) {
  const { api } = usePortal()
  const query = {
    search,
    sort: orderOf(sort, clusterSorts) ?? orderOf(usualClusterSort, clusterSorts),
    page: { skip, limit: clustersPerPage },
  }
  return useQuery({
    ...clusterListQuery(api, ['list', search, sort, skip], query),
    placeholderData: keepPreviousData,
  })
}

/** One cluster, read again with its lists when it changes. */
export function useCluster(id: string) {
  const { api } = usePortal()
  useLive({ topic: 'cluster', id }, clustersKey)
  return useQuery({
    queryKey: [...clustersKey, 'one', id],
    queryFn: ({ signal }) => call(api, clusters.get, { params: { id }, signal }),
  })
}

export function useNodes(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...clustersKey, 'nodes', id],
    queryFn: async ({ signal }) => (await call(api, clusters.nodes, { params: { id }, signal })).data,
  })
}

export function useHealth(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...clustersKey, 'health', id],
    queryFn: ({ signal }) => call(api, clusters.healthCheck, { params: { id }, signal }),
  })
}

export type StorageClass = ReplyOf<typeof clusters.storageClasses>['data'][number]

export function useStorageClasses(id: string) {
  const { api } = usePortal()
  return useQuery(storageClassesQuery(api, id))
}

const eventsPerPage = 50

/** A page of what the cluster tells, newest first. */
export function useEvents(id: string, search: string, type: string | undefined, skip: number) {
  const { api } = usePortal()
  const query = { search, filters: { type }, page: { skip, limit: eventsPerPage } }
  return useQuery({
    queryKey: [...clustersKey, 'events', id, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(api, clusters.events, { params: { id }, query, signal }),
  })
}

export function useAddCluster() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof clusters.create>['body']) => call(api, clusters.create, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: clustersKey }),
  })
}

/** Deregisters a cluster; `forget` without asking it, for one that never comes back. */
export function useDeregisterCluster() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, forget = false }: { id: string; forget?: boolean }) =>
      call(api, clusters.remove, { params: { id }, query: forget ? { forget: 'true' } : undefined }),
    onSettled: () => Promise.all([clustersKey, actionsKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}
