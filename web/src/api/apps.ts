import { portalApi } from '@quayside/contract/portal-api'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { isGone } from '../lib/api/api-error.ts'
import { useLive, usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'
import { orderOf } from './order.ts'

/** Everything that is read of apps. */
export const appsKey = ['apps'] as const

export const appsPerPage = 50

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
  useLive({ topic: 'apps' }, [...appsKey])
  return useQuery({
    queryKey: [...appsKey, 'list', q, filters, sort, skip],
    queryFn: ({ signal }) =>
      call(api, portalApi.listApps, {
        signal,
        query: {
          search: q,
          filters,
          sort: orderOf(sort) ?? { updatedAt: 'DESC' },
          page: { skip, limit: appsPerPage },
        },
      }),
    placeholderData: keepPreviousData,
  })
}

export const appQuery = (api: Api, appId: string) =>
  queryOptions({
    queryKey: [...appsKey, appId],
    queryFn: () => call(api, portalApi.getApp, { params: { id: appId } }),
    enabled: ({ state }) => !isGone(state.error),
  })

/** An app, read again when it or what runs of it changes. */
export function useApp(appId: string) {
  const { api } = usePortal()
  useLive({ topic: 'app', id: appId }, [...appsKey, appId], ['workloads', appId])
  return useQuery(appQuery(api, appId))
}

/** Apps that are deployed from a catalog item; what was only assigned is deployed nowhere. */
export function useDeployedFrom(itemId: string) {
  const { api } = usePortal()
  useLive({ topic: 'apps' }, [...appsKey])
  return useQuery({
    queryKey: [...appsKey, 'of-item', itemId],
    queryFn: async () => {
      const query = { filters: { catalogItemId: itemId }, page: { skip: 0, limit: 1000 } }
      const { data } = await call(api, portalApi.listApps, { query })
      return data.filter(({ releaseName }) => releaseName !== null)
    },
  })
}

export type AppChange = InputOf<typeof portalApi.patchApp>['body']

export const changeApp = (api: Api, id: string, change: AppChange) =>
  call(api, portalApi.patchApp, { params: { id }, body: change })

export function useChangeApp(appId: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: AppChange) => changeApp(api, appId, change),
    onSuccess: () => queries.invalidateQueries({ queryKey: appsKey }),
  })
}
