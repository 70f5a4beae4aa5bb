import { deployments } from '@quayside/contract/deployments/endpoints'
import { upgrading } from '@quayside/contract/deployments/upgrade'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { againMs } from '../../lib/query-client.ts'
import { useLiveApp } from '../app.ts'
import { appsKey } from '../apps.ts'
import { call } from '../client.ts'

const revisionsKey = (appId: string) => [...appsKey, appId, 'revisions'] as const

/** Revisions of an app, newest first. */
export const revisionsQuery = (api: Api, appId: string) =>
  queryOptions({
    queryKey: revisionsKey(appId),
    queryFn: async () => (await call(api, deployments.revisions, { params: { id: appId } })).data,
  })

/** Has the revisions of an app read again when it changes. */
export function useLiveRevisions(appId: string): void {
  useLiveApp(appId, [revisionsKey(appId)])
}

const lookAtLockMs = 30_000

/** Revisions of an app; whoever holds the release is judged by the time that passes. */
export function useRevisions(appId: string) {
  const { api } = usePortal()
  return useQuery({
    ...revisionsQuery(api, appId),
    refetchInterval: (query) => againMs(query) || (query.state.data?.[0]?.lock ? lookAtLockMs : false),
  })
}

/** One revision with its values and its manifest. */
export const revisionQuery = (api: Api, appId: string, revision: number) =>
  queryOptions({
    queryKey: [...revisionsKey(appId), revision],
    queryFn: () => call(api, deployments.revision, { params: { appId, revision } }),
  })

export function useRevision(appId: string, revision: number | undefined) {
  const { api } = usePortal()
  return useQuery({ ...revisionQuery(api, appId, revision ?? 0), enabled: revision !== undefined })
}

/** The differences between two revisions of an app. */
export const compareQuery = (api: Api, appId: string, from: number, to: number) =>
  queryOptions({
    queryKey: [...appsKey, appId, 'compare', from, to],
    queryFn: () => call(api, upgrading.compareRevisions, { params: { id: appId }, query: { from, to } }),
  })

export function useComparison(appId: string, from: number, to: number) {
  const { api } = usePortal()
  return useQuery({ ...compareQuery(api, appId, from, to), enabled: from !== to })
}
