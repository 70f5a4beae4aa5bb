import type { ListReply } from '@quayside/contract/paging'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from './portal.tsx'
import { useAccess } from './use-access.ts'

export interface PlaceName {
  id: string
  displayName: string
}

/** The names of all spaces; asked for only by those who may read them. */
export function useSpaceNames() {
  const { api } = usePortal()
  const [sees, deploys, manages] = [
    useAccess('spaces'),
    useAccess('catalog-apps', 'catalog.deploy'),
    useAccess('catalog-apps', 'catalog.deployments.manage'),
  ]
  return useQuery({
    queryKey: ['spaces', 'names'],
    enabled: sees || deploys || manages,
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
