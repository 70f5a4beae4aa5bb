import type { ListReply } from '@quayside/contract/http/paging'
import type { PinnedKind } from '@quayside/contract/sidebar/endpoints'
import { useQuery } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { fetchApps } from './apps.ts'
import { fetchClusters } from './clusters/clusters.ts'
import { fetchSpaces } from './spaces.ts'

export interface PinnableItem {
  id: string
  displayName: string
}

type Find = (api: Api, query: object, signal: AbortSignal) => Promise<ListReply<PinnableItem>>

/** How the items of a category are listed; dashboards are in none of the services of this version. */
const lists: Record<PinnedKind, Find | undefined> = {
  apps: fetchApps,
  spaces: fetchSpaces,
  clusters: fetchClusters,
  dashboards: undefined,
}
const limit = 1000

/** The items of a category that can be pinned, newest first; none where nothing lists them. */
export function usePinnable(category: PinnedKind) {
  const { api } = usePortal()
  const find = lists[category]
  const items = useQuery({
    queryKey: [category, 'to pin'],
    enabled: find !== undefined,
    queryFn: find && (({ signal }) => find(api, { sort: { createdAt: 'DESC' }, page: { skip: 0, limit } }, signal)),
  })
  return { data: find === undefined ? [] : items.data?.data, error: items.error }
}
