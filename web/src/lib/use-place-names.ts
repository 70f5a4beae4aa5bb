import type { ListReply } from '@quayside/contract/paging'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from './portal.tsx'

export interface PlaceName {
  id: string
  displayName: string
}

/** The names of all spaces that the person sees. */
export function useSpaceNames() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['spaces', 'names'],
    queryFn: async () =>
      (await api.get<ListReply<PlaceName>>('/portal-api/v2/spaces', { query: { page: { skip: 0, limit: 1000 } } }))
        .data,
  })
}

/** The names of all clusters: who sees apps sees these beside them. */
export function useClusterNames() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['clusters', 'names'],
    queryFn: async () => (await api.get<{ data: PlaceName[] }>('/cluster/v1/clusters/list')).data,
  })
}
