import { clusters } from '@quayside/contract/clusters/endpoints'
import { type QueryKey, queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { useLive } from '../live.ts'

/** Everything that is read of clusters. */
export const clustersKey = ['clusters'] as const

type ListInput = InputOf<typeof clusters.list>['query']

export const fetchClusters = (api: Api, query: ListInput, signal?: AbortSignal) =>
  call(api, clusters.list, { query, signal })

/** A part of the list of clusters; `part` names it among the queries. */
export const clusterListQuery = (api: Api, part: readonly unknown[], query: ListInput) =>
  queryOptions({
    queryKey: [...clustersKey, ...part],
    queryFn: ({ signal }) => fetchClusters(api, query, signal),
  })

/** Has everything of clusters, or what is `stale` with it, read again when the server tells of a change. */
export function useLiveClusters(stale: readonly QueryKey[] = [clustersKey]): void {
  useLive({ topic: 'clusters' }, ...stale)
}

/** The names of all clusters: who sees apps sees these beside them. */
export function useClusterNames() {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...clustersKey, 'names'],
    queryFn: async ({ signal }) => (await call(api, clusters.names, { signal })).data,
  })
}

/** The storage classes of a cluster, as it has them now. */
export const storageClassesQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [...clustersKey, 'storage', id],
    queryFn: async ({ signal }) => (await call(api, clusters.storageClasses, { params: { id }, signal })).data,
  })

/** The registry secrets of a space on a cluster, as it has them now. */
export const registrySecretsQuery = (api: Api, spaceId: string, clusterId: string) =>
  queryOptions({
    queryKey: [...clustersKey, 'registry-secrets', clusterId, spaceId],
    queryFn: async ({ signal }) =>
      (await call(api, clusters.registrySecrets, { params: { spaceId, clusterId }, signal })).data,
  })
