import type { ListReply } from '@quayside/contract/http/paging'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { fetchApps } from './apps.ts'
import { fetchItems } from './catalog/catalog.ts'
import { fetchClusters } from './clusters/clusters.ts'
import { fetchSpaces } from './spaces.ts'

interface Found {
  id: string
  displayName: string
  name: string
}

type Find = (api: Api, query: object, signal: AbortSignal) => Promise<ListReply<Found>>

const lists = {
  spaces: fetchSpaces,
  apps: fetchApps,
  items: fetchItems,
  clusters: fetchClusters,
} as const satisfies Record<string, Find>
export type Searched = keyof typeof lists

const perList = 6

/** The first things of each list whose name matches, in the order of the lists; those before stay in sight meanwhile. */
export function useSearch(asked: readonly Searched[], text: string) {
  const { api } = usePortal()
  return useQueries({
    queries: asked.map((list) => ({
      queryKey: ['search', list, text],
      placeholderData: keepPreviousData,
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<ListReply<Found>> =>
        lists[list](api, { search: text, page: { skip: 0, limit: perList } }, signal),
    })),
  })
}
