import { type NewSpace, type SpaceInput, spaces } from '@quayside/contract/spaces/endpoints'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'
import { orderOf } from './order.ts'
import { spaceKey, spaceListQuery, spaceQuery, spacesKey, useLiveSpaces } from './spaces.ts'

export const spacesPerPage = 100
const sortable = ['displayName', 'name', 'createdAt']

/** A page of spaces, searched and sorted by the server; the oldest first unless another order is asked for. */
export function useSpaces(search: string, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  const query = {
    search,
    sort: orderOf(sort, sortable) ?? ({ createdAt: 'ASC' } as const),
    page: { skip, limit: spacesPerPage },
  }
  return useQuery({ ...spaceListQuery(api, ['list', search, sort, skip], query), placeholderData: keepPreviousData })
}

/** One space, read again when spaces or rights in them change. */
export function useSpace(id: string) {
  const { api } = usePortal()
  useLiveSpaces([spaceKey(id)])
  return useQuery(spaceQuery(api, id))
}

/** Makes a space, or changes the one given. */
export function useSaveSpace(id: string | undefined) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: z.input<typeof SpaceInput> | z.input<typeof NewSpace>) =>
      id === undefined
        ? call(api, spaces.createSpace, { body: input })
        : call(api, spaces.updateSpace, { params: { id }, body: input }),
    onSuccess: () => queries.invalidateQueries({ queryKey: spacesKey }),
  })
}

export function useDeleteSpace() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, spaces.deleteSpace, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: spacesKey }),
  })
}
