import type { ListReply } from '@quayside/contract/paging'
import type { NewSpace, Space, SpaceInput } from '@quayside/contract/portal-api'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'

export const spacesPerPage = 100

export function useSpaces(search: string, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['spaces', 'list', search, skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.get<ListReply<Space>>('/portal-api/v2/spaces', {
        signal,
        query: { search, sort: { createdAt: 'ASC' }, page: { skip, limit: spacesPerPage } },
      }),
  })
}

export function useSpace(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['spaces', 'one', id],
    queryFn: ({ signal }) => api.get<Space>(`/portal-api/v3/spaces/${encodeURIComponent(id)}`, { signal }),
  })
}

/** Makes a space, or changes the one given. */
export function useSaveSpace(id: string | undefined) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: SpaceInput | NewSpace) =>
      id === undefined
        ? api.post<Space>('/portal-api/v3/spaces', input)
        : api.put<Space>(`/portal-api/v3/spaces/${encodeURIComponent(id)}`, input),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['spaces'] }),
  })
}

export function useDeleteSpace() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete<void>(`/portal-api/v3/spaces/${encodeURIComponent(id)}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['spaces'] }),
  })
}
