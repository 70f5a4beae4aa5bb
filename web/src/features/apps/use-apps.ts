import type { CatalogVersionDetail } from '@quayside/contract/catalog'
import type {
  AppOverview,
  ClusterEvent,
  KubeService,
  Pod,
  Pvc,
  ServiceAccount,
  Workload,
} from '@quayside/contract/cluster'
import type { Revision } from '@quayside/contract/deployment'
import type { ListReply } from '@quayside/contract/paging'
import type { App, AppPatch } from '@quayside/contract/portal-api'
import type { ReleaseDiff } from '@quayside/contract/upgrade'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isGone } from '../../lib/api/api-error.ts'
import { useLive, usePortal } from '../../lib/portal.tsx'
import { againMs } from '../../lib/query-client.ts'

export const pageSize = 50

export interface AppFilters {
  q: string
  spaceId: string | undefined
  clusterId: string | undefined
  state: string | undefined
  kind: string | undefined
  tag: string | undefined
}

/** A page of apps, sorted and filtered by the server, read again when one changes. */
export function useApps({ q, ...filters }: AppFilters, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  useLive({ topic: 'apps' }, ['apps'])
  const order =
    sort === undefined ? { updatedAt: 'DESC' } : { [sort.replace('-', '')]: sort.startsWith('-') ? 'DESC' : 'ASC' }
  return useQuery({
    queryKey: ['apps', 'list', q, filters, sort, skip],
    queryFn: ({ signal }) =>
      api.get<ListReply<App>>('/portal-api/v2/apps', {
        signal,
        query: { search: q, filters, sort: order, page: { skip, limit: pageSize } },
      }),
    placeholderData: keepPreviousData,
  })
}

export function useApp(appId: string) {
  const { api } = usePortal()
  useLive({ topic: 'app', id: appId }, ['apps', appId], ['workloads', appId])
  return useQuery({
    queryKey: ['apps', appId],
    queryFn: () => api.get<App>(`/portal-api/v2/apps/${appId}`),
    enabled: ({ state }) => !isGone(state.error),
  })
}

/** What runs of an app; the server says when to read again. */
function useWorkload<T>(appId: string, part: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['workloads', appId, part],
    queryFn: () => api.get<T>(`/cluster/v1/apps/${appId}/${part}`),
    placeholderData: keepPreviousData,
  })
}

export const useOverview = (appId: string) => useWorkload<AppOverview>(appId, 'overview')
export const usePods = (appId: string) => useWorkload<{ data: Pod[] }>(appId, 'pods')
export const useWorkloads = (appId: string) => useWorkload<{ data: Workload[] }>(appId, 'deployments')
export const usePvcs = (appId: string) => useWorkload<{ data: Pvc[] }>(appId, 'pvcs')
export const useServices = (appId: string) => useWorkload<{ data: KubeService[] }>(appId, 'services')
export const useServiceAccounts = (appId: string) => useWorkload<{ data: ServiceAccount[] }>(appId, 'serviceAccounts')
export const useAppEvents = (appId: string) => useWorkload<{ data: ClusterEvent[] }>(appId, 'events')

const lookAtLockMs = 30_000

export function useRevisions(appId: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['apps', appId, 'revisions'],
    queryFn: async () =>
      (await api.get<{ data: Revision[] }>(`/deployment/v1/helm/deployment/revisions/${appId}`)).data,
    // Whoever holds the release is judged by the time that passes.
    refetchInterval: (query) => againMs(query) || (query.state.data?.[0]?.lock ? lookAtLockMs : false),
  })
}

export function useRevision(appId: string, revision: number | undefined) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['apps', appId, 'revisions', revision],
    queryFn: () =>
      api.get<Revision & { valuesYaml: string; manifest: string }>(
        `/deployment/v1/helm/deployment/revision/${appId}/${revision}`,
      ),
    enabled: revision !== undefined,
  })
}

/** What differs between two revisions of an app. */
export function useComparison(appId: string, from: number, to: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['apps', appId, 'compare', from, to],
    queryFn: () => api.get<ReleaseDiff>(`/deployment/v1/helm/deployment/compare/${appId}`, { query: { from, to } }),
    enabled: from !== to,
  })
}

/** A catalog version with the values of its chart. */
export function useVersionDetail(versionId: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['catalog', 'version', versionId],
    queryFn: () => api.get<CatalogVersionDetail>(`/catalog/v2/versions/${versionId}`),
    retry: false,
  })
}

export function usePatchApp(appId: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (patch: AppPatch) => api.patch<App>(`/portal-api/v2/apps/${appId}`, patch),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['apps'] }),
  })
}
