import { appLinks } from '@quayside/contract/app-links/endpoints'
import { appLinkSorts } from '@quayside/contract/app-links/sorts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'
import { orderOf } from './lists/order.ts'
import { useLive } from './live.ts'

const appLinksKey = ['app-links'] as const

const linksPerPage = 50

/** A page of the links that pass the filters, by name unless another order is asked for; read again when one changes. */
export function useAppLinks(filters: { q: string; tag: string | undefined }, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  useLive({ topic: 'app-links' }, appLinksKey)
  const query = {
    search: filters.q,
    filters: { tag: filters.tag },
    sort: orderOf(sort, appLinkSorts),
    page: { skip, limit: linksPerPage },
  }
  return useQuery({
    queryKey: [...appLinksKey, filters, sort, skip],
    queryFn: ({ signal }) => call(api, appLinks.listAppLinks, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Changes links, and has them read again, also when the server refuses: another browser may have been first. */
function useLinkChange<Input, Reply>(run: (api: Api, input: Input) => Promise<Reply>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => run(api, input),
    onSettled: () => queries.invalidateQueries({ queryKey: appLinksKey }),
  })
}

type LinkInput = InputOf<typeof appLinks.addAppLink>['body']

/** Changes the link with this id; without one, makes a new link. */
export const useSaveAppLink = (id: string | undefined) =>
  useLinkChange((api, body: LinkInput) =>
    id === undefined
      ? call(api, appLinks.addAppLink, { body })
      : call(api, appLinks.changeAppLink, { params: { id }, body }),
  )

export const useDeleteAppLink = () =>
  useLinkChange((api, id: string) => call(api, appLinks.deleteAppLink, { params: { id } }))
