import { pathOf } from '@quayside/contract/http/path'
import { type Space, spaces } from '@quayside/contract/spaces/endpoints'
import { spaceSorts } from '@quayside/contract/spaces/sorts'
import { keepPreviousData, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'
import { allRows } from './lists/all-rows.ts'
import { orderOf } from './lists/order.ts'
import { useLive } from './live.ts'

/** Everything that is read of spaces. */
export const spacesKey = ['spaces'] as const

/** The address of the list, for a script. */
export const spacesPath = pathOf(spaces.listSpaces)

/** Everything that is read of one space. */
export const spaceKey = (id: string) => [...spacesKey, 'one', id] as const

const spacesPerPage = 100

type ListInput = InputOf<typeof spaces.listSpaces>['query']

export const fetchSpaces = (api: Api, query: ListInput, signal?: AbortSignal) =>
  call(api, spaces.listSpaces, { query, signal })

/** A part of the list of spaces; `part` names it among the queries. */
export const spaceListQuery = (api: Api, part: readonly unknown[], query: ListInput) =>
  queryOptions({
    queryKey: [...spacesKey, ...part],
    queryFn: ({ signal }) => fetchSpaces(api, query, signal),
  })

/** Has everything of spaces, or what is `stale` with it, read again when the server tells of a change. */
export function useLiveSpaces(stale: readonly QueryKey[] = [spacesKey]): void {
  useLive({ topic: 'spaces' }, ...stale)
}

/** The order of the list of spaces unless another one is asked for. */
export const usualSpaceSort = 'displayName'

/** A page of spaces, searched and sorted by the server. */
export function useSpaces(search: string, sort: string, skip: number) {
  const { api } = usePortal()
  const query = {
    search,
    sort: orderOf(sort, spaceSorts) ?? orderOf(usualSpaceSort, spaceSorts),
    page: { skip, limit: spacesPerPage },
  }
  return useQuery({ ...spaceListQuery(api, ['list', search, sort, skip], query), placeholderData: keepPreviousData })
}

/** Every space that matches, for a file. */
export function useAllSpaces(search: string, sort: string): () => Promise<Space[]> {
  const { api } = usePortal()
  return () => allRows((page) => fetchSpaces(api, { search, sort: orderOf(sort, spaceSorts), page }))
}

/** Spaces as the wizard asks for them. */
export const wizardSpacesQuery = (api: Api) =>
  queryOptions({
    queryKey: [...spacesKey, 'wizard'],
    queryFn: async () => {
      const query = { sort: { createdAt: 'ASC' }, page: { skip: 0, limit: 1000 } }
      return (await call(api, spaces.listSpaces, { query })).data
    },
  })

/** The first spaces that the person sees, at most `limit`. */
export const firstSpaces = async (api: Api, limit: number) =>
  (await call(api, spaces.listSpaces, { query: { page: { skip: 0, limit } } })).data

/** The names of all spaces that the person sees. */
export function useSpaceNames() {
  const { api } = usePortal()
  return useQuery({ queryKey: [...spacesKey, 'names'], queryFn: () => firstSpaces(api, 1000) })
}
