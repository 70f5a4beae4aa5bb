import type { ListReply } from '@quayside/contract/http/paging'
import type { PinnedKind } from '@quayside/contract/sidebar/endpoints'
import { useQuery } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { fetchApps } from './apps.ts'
import { fetchClusters } from './clusters/clusters.ts'
import { fetchDashboards } from './dashboards/dashboards.ts'
import { fetchSpaces } from './spaces.ts'

export interface PinnableItem {
  id: string
  displayName: string
}

type Find = (api: Api, query: object, signal: AbortSignal) => Promise<ListReply<PinnableItem>>

/** How the items of a category are listed. */
const lists: Record<PinnedKind, Find> = {
  apps: fetchApps,
  spaces: fetchSpaces,
  clusters: fetchClusters,
  dashboards: fetchDashboards,
}
const limits: Record<PinnedKind, number> = { apps: 1000, spaces: 1000, clusters: 1000, dashboards: 150 }

/** The items of a category that can be pinned, newest first. */
export function usePinnable(category: PinnedKind) {
  const { api } = usePortal()
  const find = lists[category]
  const items = useQuery({
    queryKey: [category, 'to pin'],
    queryFn: ({ signal }) =>
      find(api, { sort: { createdAt: 'DESC' }, page: { skip: 0, limit: limits[category] } }, signal),
  })
  return { data: items.data?.data, error: items.error }
}
