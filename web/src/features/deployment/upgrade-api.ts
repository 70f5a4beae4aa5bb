import type { CatalogVersionDetail } from '@quayside/contract/catalog'
import type { ReleaseDiff } from '@quayside/contract/upgrade'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'

const base = '/deployment/v1/helm/deployment'

/** A version with what its package says: readme, values, dependencies. */
export const versionDetailQuery = (api: Api, versionId: string) =>
  queryOptions({
    queryKey: ['catalog', 'version', versionId],
    queryFn: () => api.get<CatalogVersionDetail>(`/catalog/v2/versions/${versionId}`),
    retry: false,
  })

/** What an upgrade would change; without `yaml`, with the values that it would start from. */
export const previewQuery = (api: Api, versionId: string, body: { appMetadata: object; yaml: string | null }) =>
  queryOptions({
    queryKey: ['upgrade', 'preview', versionId, body],
    queryFn: () => api.put<ReleaseDiff>(`${base}/preview/${versionId}`, body),
    // What is deployed may change meanwhile.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

export const compareQuery = (api: Api, appId: string, from: number, to: number) =>
  queryOptions({
    queryKey: ['apps', appId, 'compare', from, to],
    queryFn: () => api.get<ReleaseDiff>(`${base}/compare/${appId}`, { query: { from, to } }),
    placeholderData: keepPreviousData,
  })
