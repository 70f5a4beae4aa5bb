import type { CatalogItem } from '@quayside/contract/catalog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'

export function useFeatured() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, featured }: { id: string; featured: boolean }) =>
      api.patch<CatalogItem>(`/catalog/v2/items/${id}/featured/${featured}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['catalog'] }),
  })
}
