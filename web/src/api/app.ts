import { apps } from '@quayside/contract/apps/endpoints'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { isGone } from '../lib/api/api-error.ts'
import { useLive, usePortal } from '../lib/portal.tsx'
import { appListQuery, appsKey, fetchApps, useLiveApps } from './apps.ts'
import { call, type InputOf } from './client.ts'

export const fetchApp = (api: Api, id: string) => call(api, apps.getApp, { params: { id } })

export const appQuery = (api: Api, appId: string) =>
  queryOptions({
    queryKey: [...appsKey, appId],
    queryFn: () => fetchApp(api, appId),
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
