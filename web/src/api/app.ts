import { type App, apps } from '@quayside/contract/apps/endpoints'
import {
  keepPreviousData,
  type QueryKey,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { isGone } from '../lib/api/api-error.ts'
import { usePortal } from '../lib/portal.tsx'
import { appListQuery, appsKey, pageOf, useLiveApps } from './apps.ts'
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

/** States of an app that has been deployed, or that an action works on. */
const deployedStates = [
  'healthy',
  'progressing',
  'degraded',
  'failed',
  'deploying',
  'deleting',
  'unknown',
] as const satisfies readonly Exclude<App['state'], 'assigned'>[]

/** A page of the apps that are deployed from a catalog item; what was only assigned is deployed nowhere. */
export function useAppsOfItem(catalogItemId: string, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  useLiveApps()
  const query = pageOf({ catalogItemId, state: [...deployedStates] }, sort, skip)
  return useQuery({
    ...appListQuery(api, ['of-item', catalogItemId, sort, skip], query),
    placeholderData: keepPreviousData,
  })
}

/** A page of the apps of a space. */
export function useAppsOfSpace(spaceId: string, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  const query = pageOf({ spaceId }, sort, skip)
  return useQuery({ ...appListQuery(api, ['space', spaceId, sort, skip], query), placeholderData: keepPreviousData })
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
