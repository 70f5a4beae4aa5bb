import type { CatalogItem, CatalogVersion, CatalogVersionDetail } from '@quayside/contract/catalog'
import type { ListReply } from '@quayside/contract/paging'
import type { App } from '@quayside/contract/portal-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLive, usePortal } from '../../lib/portal.tsx'

export interface CatalogFilters {
  q: string
  featured: boolean
  type: string | undefined
  category: string | undefined
  manufacturer: string | undefined
}

const listLimit = 100

/** Items that match, featured first; the list before stays in sight while the next one loads. */
export function useCatalogItems({ q, featured, type, category, manufacturer }: CatalogFilters) {
  const { api } = usePortal()
  useLive({ topic: 'catalog' }, ['catalog'])
  const filters = { featured: featured ? 'true' : undefined, category, manufacturer, ...kindFilter(type) }
  return useQuery({
    queryKey: ['catalog', 'items', q, filters],
    queryFn: ({ signal }) =>
      api.get<ListReply<CatalogItem>>('/catalog/v2/items', {
        signal,
        query: { search: q, filters, page: { skip: 0, limit: listLimit } },
      }),
    placeholderData: keepPreviousData,
  })
}

/** 'Flow' is a kind of item, the others are types of apps. */
function kindFilter(type: string | undefined): { type?: string; appType?: string } {
  if (type === undefined) return {}
  return type === 'Flow' ? { type } : { type: 'App', appType: type }
}

/** Every category there is, for the filter. */
export function useCategories() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['catalog', 'categories'],
    queryFn: async () => {
      const { data } = await api.get<ListReply<CatalogItem>>('/catalog/v2/items', {
        query: { page: { skip: 0, limit: 1000 } },
      })
      return [...new Set(data.map((item) => item.category))].sort()
    },
  })
}

export function useManufacturers() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['catalog', 'manufacturers'],
    queryFn: async () => {
      const query = { page: { skip: 0, limit: 1000 } }
      return (await api.get<ListReply<{ id: string; name: string }>>('/catalog/v2/manufacturers', { query })).data
    },
  })
}

export function useCatalogItem(id: string) {
  const { api } = usePortal()
  useLive({ topic: 'catalog' }, ['catalog'])
  return useQuery({ queryKey: ['catalog', 'item', id], queryFn: () => api.get<CatalogItem>(`/catalog/v2/items/${id}`) })
}

export function useItemVersions(itemId: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['catalog', 'versions', itemId],
    queryFn: async () =>
      (await api.get<ListReply<CatalogVersion>>(`/catalog/v2/versions/bycatalogitem/${itemId}`)).data,
  })
}

export function useVersion(versionId: string | undefined) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['catalog', 'version', versionId],
    queryFn: () => api.get<CatalogVersionDetail>(`/catalog/v2/versions/${versionId}`),
    enabled: versionId !== undefined,
  })
}

export function useDeployedFrom(itemId: string) {
  const { api } = usePortal()
  useLive({ topic: 'apps' }, ['apps'])
  return useQuery({
    queryKey: ['apps', 'of-item', itemId],
    queryFn: async () => {
      const query = { filters: { catalogItemId: itemId }, page: { skip: 0, limit: 100 } }
      const { data } = await api.get<ListReply<App>>('/portal-api/v2/apps', { query })
      // What was only assigned is deployed nowhere.
      return data.filter(({ releaseName }) => releaseName !== null)
    },
  })
}
