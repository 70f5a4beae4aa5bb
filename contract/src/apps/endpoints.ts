import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Color, DisplayName, Id, Tag, Tags, textOf } from '../http/primitives.ts'

const endpoint = endpointsOf('portal-api')

const ResourceRole = z.object({ id: z.string(), name: z.string() })
export const AppState = z.enum([
  'assigned',
  'deploying',
  'healthy',
  'progressing',
  'degraded',
  'failed',
  'deleting',
  'unknown',
])
export type AppState = z.infer<typeof AppState>

export const App = z.object({
  id: z.string(),
  /** 7 letters and digits, part of the release name. */
  identifier: z.string(),
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  shortDescription: z.string(),
  color: z.string(),
  iconUri: z.string().nullable(),
  iconEmbedded: z.string().nullable(),
  tags: z.array(z.string()),
  resourceRoles: z.array(ResourceRole),
  itemType: z.string(),
  appType: z.string(),
  spaceId: z.string(),
  spaceName: z.string(),
  clusterId: z.string(),
  clusterName: z.string(),
  catalogItemId: z.string(),
  catalogItemName: z.string(),
  catalogVersionId: z.string(),
  version: z.string(),
  /** The newest version in the catalog, when it is newer than the deployed one. */
  availableVersion: z.string().nullable(),
  releaseName: z.string().nullable(),
  namespace: z.string(),
  revision: z.number().nullable(),
  state: AppState,
  stateMessage: z.string().nullable(),
  createdAt: z.string(),
  createdBy: z.string(),
  updatedAt: z.string(),
})
export type App = z.infer<typeof App>

export const AppPatch = z.strictObject({
  displayName: DisplayName.optional(),
  description: textOf(longest.appDescription).optional(),
  shortDescription: textOf(longest.shortDescription).optional(),
  color: Color.optional(),
  tags: Tags.optional(),
})
export type AppPatch = z.infer<typeof AppPatch>

const TagParams = z.object({ id: Id, tag: Tag })

export const apps = {
  listApps: endpoint('GET', '/v2/apps', {
    summary: 'Apps of the tenant; filters: kind, spaceId, clusterId, state, tag, catalogItemId',
    query: ListQuery,
    reply: listOf(App),
  }),
  getApp: endpoint('GET', '/v2/apps/:id', { summary: 'One app', params: ById, reply: App }),
  patchApp: endpoint('PATCH', '/v2/apps/:id', {
    summary: 'Change name, texts, colour or tags of an app',
    params: ById,
    body: AppPatch,
    reply: App,
  }),
  addAppTag: endpoint('PUT', '/v2/apps/:id/tags/:tag', {
    summary: 'Add a tag to an app',
    params: TagParams,
    reply: App,
  }),
  removeAppTag: endpoint('DELETE', '/v2/apps/:id/tags/:tag', {
    summary: 'Remove a tag of an app',
    params: TagParams,
    reply: App,
  }),
}
