import { catalog } from '@quayside/contract/catalog/endpoints'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { call, type InputOf } from '../client.ts'
import { useLive } from '../live.ts'

/** Everything that is read from the catalog. */
export const catalogKey = ['catalog'] as const

type ListInput = InputOf<typeof catalog.listItems>['query']

export const fetchItems = (api: Api, query: ListInput, signal?: AbortSignal) =>
  call(api, catalog.listItems, { query, signal })

/** A part of the list of items; `part` names it among the queries. */
export const itemListQuery = (api: Api, part: readonly unknown[], query: ListInput) =>
  queryOptions({
    queryKey: [...catalogKey, ...part],
    queryFn: ({ signal }) => fetchItems(api, query, signal),
  })

/** Has everything of the catalog, or what is `stale` with it, read again when the server tells of a change. */
export function useLiveCatalog(stale: readonly QueryKey[] = [catalogKey]): void {
  useLive({ topic: 'catalog' }, ...stale)
}
