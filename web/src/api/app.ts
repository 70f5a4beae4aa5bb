import { apps } from '@quayside/contract/apps/endpoints'
import { type QueryKey, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { isGone } from '../lib/api/api-error.ts'
import { usePortal } from '../lib/portal.tsx'
import { appListQuery, appsKey, fetchApps, useLiveApps } from './apps.ts'
import { call, type InputOf } from './client.ts'
import { useLive } from './live.ts'
import { workloadKey } from './workloads.ts'

export const fetchApp = (api: Api, id: string) => call(api, apps.getApp, { params: { id } })

export const appQuery = (api: Api, appId: string) =>
  queryOptions({
    queryKey: [...appsKey, appId],
    queryFn: () => fetchApp(api, appId),
    enabled: ({ state }) => !isGone(state.error),
  })

/** Has an app and what runs of it, or what is `stale` with them, read again when the server tells of a change. */
export function useLiveApp(
  appId: string,
  stale: readonly QueryKey[] = [[...appsKey, appId], workloadKey(appId)],
): void {
  useLive({ topic: 'app', id: appId }, ...stale)
}

/** An app, read again when it or what runs of it changes. */
export function useApp(appId: string) {
  const { api } = usePortal()
  useLiveApp(appId)
  return useQuery(appQuery(api, appId))
}

/** Apps that are deployed from a catalog item; what was only assigned is deployed nowhere. */
export function useDeployedFrom(itemId: string) {
  const { api } = usePortal()
  useLiveApps()
  return useQuery({
    queryKey: [...appsKey, 'of-item', itemId],
    queryFn: async () => {
      const query = { filters: { catalogItemId: itemId }, page: { skip: 0, limit: 1000 } }
      const { data } = await fetchApps(api, query)
      return data.filter(({ releaseName }) => releaseName !== null)
    },
  })
}

/** The apps of a space. */
export function useAppsOfSpace(spaceId: string) {
  const { api } = usePortal()
  return useQuery(appListQuery(api, ['space', spaceId], { filters: { spaceId }, page: { skip: 0, limit: 200 } }))
}

type AppChange = InputOf<typeof apps.patchApp>['body']

export const changeApp = (api: Api, id: string, change: AppChange) =>
  call(api, apps.patchApp, { params: { id }, body: change })

export function useChangeApp(appId: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: AppChange) => changeApp(api, appId, change),
    onSuccess: () => queries.invalidateQueries({ queryKey: appsKey }),
  })
}
