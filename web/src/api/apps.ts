import { type App, apps } from '@quayside/contract/apps/endpoints'
import { appSorts } from '@quayside/contract/apps/sorts'
import { keepPreviousData, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'
import { allRows } from './lists/all-rows.ts'
import { orderOf } from './lists/order.ts'
import { useLive } from './live.ts'

/** Everything that is read of apps. */
export const appsKey = ['apps'] as const

const appsPerPage = 50

interface AppFilters {
  q: string
  spaceId: string | undefined
  clusterId: string | undefined
  state: string | undefined
  kind: string | undefined
  tag: string | undefined
}

type ListInput = InputOf<typeof apps.listApps>['query']

export const fetchApps = (api: Api, query: ListInput, signal?: AbortSignal) =>
  call(api, apps.listApps, { query, signal })

/** A part of the list of apps; `part` names it among the queries. */
export const appListQuery = (api: Api, part: readonly unknown[], query: ListInput) =>
  queryOptions({
    queryKey: [...appsKey, ...part],
    queryFn: ({ signal }) => fetchApps(api, query, signal),
  })

/** Has everything of apps, or what is `stale` with it, read again when the server tells of a change. */
export function useLiveApps(stale: readonly QueryKey[] = [appsKey]): void {
  useLive({ topic: 'apps' }, ...stale)
}

/** A page of apps that pass the filters; those changed last first unless another order is asked for. */
export const pageOf = (
  filters: Record<string, string | string[] | undefined>,
  sort: string | undefined,
  skip: number,
) => ({
  filters,
  sort: orderOf(sort, appSorts) ?? ({ updatedAt: 'DESC' } as const),
  page: { skip, limit: appsPerPage },
})

/** A page of apps, sorted and filtered by the server, read again when one changes. */
export function useApps({ q, ...filters }: AppFilters, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  useLiveApps()
  const query = { search: q, ...pageOf(filters, sort, skip) }
  return useQuery({
    ...appListQuery(api, ['list', q, filters, sort, skip], query),
    placeholderData: keepPreviousData,
  })
}

/** Every app that passes the filters, for a file. */
export function useAllApps({ q, ...filters }: AppFilters, sort: string | undefined): () => Promise<App[]> {
  const { api } = usePortal()
  const query = { search: q, ...pageOf(filters, sort, 0) }
  return () => allRows((page) => fetchApps(api, { ...query, page }))
}
