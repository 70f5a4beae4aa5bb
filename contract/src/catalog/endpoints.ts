import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Id } from '../http/primitives.ts'

const endpoint = endpointsOf('catalog')

export const CatalogItemType = z.enum(['App', 'Flow', 'Solution'])
export type CatalogItemType = z.infer<typeof CatalogItemType>
export const AppType = z.enum(['Containerized', 'Legacy', 'SaaS', 'Serverless'])
export type AppType = z.infer<typeof AppType>

export const CatalogItem = z.object({
  id: z.string(),
  name: z.string(),
  type: CatalogItemType,
  appKind: z.string(),
  appType: AppType,
  category: z.string(),
  tags: z.array(z.string()),
  iconUri: z.string().nullable(),
  iconEmbedded: z.string().nullable().describe('a data URI'),
  color: z.string(),
  manufacturer: z.object({ id: z.string(), name: z.string() }),
  displayName: z.string(),
  description: z.string(),
  shortDescription: z.string(),
  featured: z.boolean(),
  visible: z.boolean(),
  enabled: z.boolean(),
  latestVersion: z.string(),
  latestVersionId: z.string(),
  versionCount: z.number(),
  deployedCount: z.number(),
  /** Where its versions come from by themselves; null for one that was uploaded. */
  source: z.object({ id: z.string(), name: z.string() }).nullable().default(null),
  /** When a source brought its newest version, after others were there already; null when none did lately. */
  newVersionAt: z.string().nullable().default(null),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type CatalogItem = z.infer<typeof CatalogItem>

export const CatalogVersion = z.object({
  id: z.string(),
  catalogItemId: z.string(),
  version: z.string(),
  appVersion: z.string().nullable(),
  color: z.string(),
  displayName: z.string(),
  description: z.string(),
  shortDescription: z.string(),
  iconEmbedded: z.string().nullable(),
  iconUri: z.string().nullable(),
  resourceRoles: z.array(z.string()),
  kubeVersion: z.string().nullable(),
  deprecated: z.boolean(),
  sizeBytes: z.number(),
  digest: z.string(),
  /** Name of the source that brought it; null for one that was uploaded, or whose source is deleted. */
  sourceName: z.string().nullable().default(null),
  createdAt: z.string(),
})
export type CatalogVersion = z.infer<typeof CatalogVersion>

/** One version with what its package says: readme, values, schema and the changes since the version before. */
export const CatalogVersionDetail = CatalogVersion.extend({
  readme: z.string(),
  valuesYaml: z.string(),
  valuesSchema: z.unknown().nullable(),
  dependencies: z.array(z.object({ name: z.string(), version: z.string() })),
  keywords: z.array(z.string()),
  home: z.string().nullable(),
  sources: z.array(z.string()),
  maintainers: z.array(z.object({ name: z.string(), url: z.string().nullable() })),
})
export type CatalogVersionDetail = z.infer<typeof CatalogVersionDetail>

/** A catalog item with the version chosen of it; the wizards pass it from step to step. */
export const CatalogChild = z.object({ item: CatalogItem, version: CatalogVersion })
export type CatalogChild = z.infer<typeof CatalogChild>

const Manufacturer = z.object({ id: z.string(), name: z.string(), itemCount: z.number() })

export const UploadReply = z.object({
  success: z.literal(true),
  message: z.string(),
  itemId: z.string(),
  versionId: z.string(),
  name: z.string(),
  version: z.string(),
  /** True when exactly this package was there already. */
  unchanged: z.boolean(),
})
export type UploadReply = z.infer<typeof UploadReply>
export const catalog = {
  listItems: endpoint('GET', '/v2/items', {
    summary:
      'Catalog items; filters: visible, enabled, featured, type, appType, category, manufacturer, tag, source; featured come first',
    query: ListQuery,
    reply: listOf(CatalogItem),
  }),
  getItem: endpoint('GET', '/v2/items/:id', { summary: 'One item', params: ById, reply: CatalogItem }),
  getItemByName: endpoint('GET', '/v2/items/byname/:name', {
    summary: 'One item by its chart name',
    params: z.object({ name: z.string().min(1).max(250) }),
    reply: CatalogItem,
  }),
  setFeatured: endpoint('PATCH', '/v2/items/:id/featured/:featured', {
    summary: 'Feature an item, or no longer',
    params: z.object({ id: Id, featured: z.enum(['true', 'false']) }),
    reply: CatalogItem,
  }),
  deleteItem: endpoint('DELETE', '/v2/items/:id', {
    summary: 'Delete an item with all its versions',
    params: ById,
    status: 204,
  }),
  getVersion: endpoint('GET', '/v2/versions/:id', {
    summary: 'One version',
    params: ById,
    reply: CatalogVersionDetail,
  }),
  versionsOfItem: endpoint('GET', '/v2/versions/bycatalogitem/:id', {
    summary: 'Versions of an item, newest first',
    params: ById,
    reply: listOf(CatalogVersion),
  }),
  versionsOfApp: endpoint('GET', '/v2/versions/bycatalogapp/:id', {
    summary: 'Versions for an app id, newest first',
    params: ById,
    reply: listOf(CatalogVersion),
  }),
  listManufacturers: endpoint('GET', '/v2/manufacturers', {
    summary: 'Manufacturers of the catalog',
    query: ListQuery,
    reply: listOf(Manufacturer),
  }),
  upload: endpoint('POST', '/v1/upload/uploadasync', {
    summary: 'Upload a chart package: a .tgz in the multipart field file',
    accepts: 'multipart',
    reply: UploadReply,
    status: 201,
  }),
  repositoryIndex: endpoint('GET', '/v1/repository/index.yaml', {
    summary: 'The catalog as a Helm repository: its index',
    streams: true,
  }),
  repositoryChart: endpoint('GET', '/v1/repository/charts/:file', {
    summary: 'The catalog as a Helm repository: one package, {name}-{version}.tgz',
    params: z.object({ file: z.string().min(5).max(250) }),
    streams: true,
  }),
}
