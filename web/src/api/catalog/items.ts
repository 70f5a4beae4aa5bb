import { catalog } from '@quayside/contract/catalog/endpoints'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api, UploadOptions } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call, upload } from '../client.ts'
import { catalogKey, fetchItems, itemListQuery, useLiveCatalog } from './catalog.ts'

interface CatalogFilters {
  q: string
  featured: boolean
  type: string | undefined
  category: string | undefined
  manufacturer: string | undefined
  /** Id of the source that the items came from. */
  source: string | undefined
}

const itemsPerPage = 60
const all = { page: { skip: 0, limit: 1000 } }

/** A page of items that match, featured first; the list before stays in sight while the next one loads. */
export function useCatalogItems({ q, featured, type, category, manufacturer, source }: CatalogFilters, skip: number) {
  const { api } = usePortal()
  useLiveCatalog()
  const filters = { featured: featured ? 'true' : undefined, category, manufacturer, source, ...kindFilter(type) }
  return useQuery({
    ...itemListQuery(api, ['items', q, filters, skip], { search: q, filters, page: { skip, limit: itemsPerPage } }),
    placeholderData: keepPreviousData,
  })
}

const mostFound = 20

/** Items whose name or description matches, for a choice; those found before stay in sight while the next ones load. */
export function useFoundItems(search: string) {
  const { api } = usePortal()
  return useQuery({
    ...itemListQuery(api, ['found', search], { search, page: { skip: 0, limit: mostFound } }),
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
    queryKey: [...catalogKey, 'categories'],
    queryFn: async () => {
      const { data } = await fetchItems(api, all)
      return [...new Set(data.map((item) => item.category))].sort()
    },
  })
}

export function useManufacturers() {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...catalogKey, 'manufacturers'],
    queryFn: async () => (await call(api, catalog.listManufacturers, { query: all })).data,
  })
}

export function useCatalogItem(id: string) {
  const { api } = usePortal()
  useLiveCatalog()
  return useQuery({
    queryKey: [...catalogKey, 'item', id],
    queryFn: () => call(api, catalog.getItem, { params: { id } }),
  })
}

/** Versions of an item, newest first. */
export const versionsQuery = (api: Api, itemId: string) =>
  queryOptions({
    queryKey: [...catalogKey, 'versions', itemId],
    queryFn: async () => (await call(api, catalog.versionsOfItem, { params: { id: itemId } })).data,
  })

export function useItemVersions(itemId: string) {
  return useQuery(versionsQuery(usePortal().api, itemId))
}

/** A version with what its package says: readme, values, dependencies. */
export const versionQuery = (api: Api, versionId: string) =>
  queryOptions({
    queryKey: [...catalogKey, 'version', versionId],
    queryFn: () => call(api, catalog.getVersion, { params: { id: versionId } }),
    retry: false,
  })

export function useVersion(versionId: string) {
  return useQuery(versionQuery(usePortal().api, versionId))
}

export function useSetFeatured() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, featured }: { id: string; featured: boolean }) =>
      call(api, catalog.setFeatured, { params: { id, featured: featured ? 'true' : 'false' } }),
    onSettled: () => queries.invalidateQueries({ queryKey: catalogKey }),
  })
}

export function useDeleteItem() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, catalog.deleteItem, { params: { id } }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: catalogKey }),
  })
}

/** Sends one chart package to the catalog. */
export function useUploadPackage() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return async (options: UploadOptions) => {
    const reply = await upload(api, catalog.upload, options)
    void queries.invalidateQueries({ queryKey: catalogKey })
    return reply
  }
}
