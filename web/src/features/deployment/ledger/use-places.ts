import type { ListReply } from '@quayside/contract/paging'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../../../lib/portal.tsx'

type Named = { id: string; displayName: string }
const choices = (all: readonly Named[] | undefined) =>
  (all ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))

/** Spaces and clusters to narrow the ledger to. */
export function usePlaces() {
  const { api } = usePortal()
  const spaces = useQuery({
    queryKey: ['spaces', 'names'],
    queryFn: async () =>
      (await api.get<ListReply<Named>>('/portal-api/v2/spaces', { query: { page: { skip: 0, limit: 1000 } } })).data,
  })
  const clusters = useQuery({
    queryKey: ['clusters', 'names'],
    queryFn: async () => (await api.get<{ data: Named[] }>('/cluster/v1/clusters/list')).data,
  })
  return { spaces: choices(spaces.data), clusters: choices(clusters.data) }
}
