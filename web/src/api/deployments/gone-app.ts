import type { App } from '@quayside/contract/apps/endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'
import { appQuery, fetchApp } from '../app.ts'
import { appsKey } from '../apps.ts'
import { deletionOf } from './ledger.ts'

/** An app that somebody has deleted; by whom and when as far as the ledger tells. */
export interface GoneApp {
  by: string | undefined
  at: string | null
  /** The app's version and space, when the browser has them cached from before the deletion. */
  last: Pick<App, 'catalogVersionId' | 'spaceId'> | undefined
}

/** Tells whether the app of a failed action is still there: undefined while nobody knows, null when it is. */
export function useGoneApp(appId: string | undefined, hasFailed: boolean): GoneApp | null | undefined {
  const { api } = usePortal()
  const queries = useQueryClient()
  const there = useQuery({
    queryKey: [...appsKey, appId, 'there'],
    enabled: hasFailed && appId !== undefined,
    queryFn: async () => {
      const query = appQuery(api, appId ?? '')
      const last = queries.getQueryData<App>(query.queryKey)
      try {
        await fetchApp(api, appId ?? '')
        return null
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error
        return { last, ...(await deletedBy(api, appId ?? '')) }
      }
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  // A lookup that fails is treated as if the app were still there.
  return appId === undefined || there.error !== null ? null : there.data
}

/** The user who deleted the app, and when; empty when the person may not see the ledger. */
async function deletedBy(api: Api, appId: string): Promise<Pick<GoneApp, 'by' | 'at'>> {
  const deletion = await deletionOf(api, appId).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  return { by: deletion?.startedBy, at: deletion?.finishedAt ?? null }
}
