import { z } from 'zod'
import { DeletionAccepted } from './deletion.ts'
import { endpointsOf } from './endpoint.ts'
import { ById, Id } from './id.ts'
import { DisplayName, nameOf } from './name.ts'
import { ListQuery, listOf } from './paging.ts'
import { mostFirstMembers, PermissionInput } from './permission-entry.ts'

export { ById, DisplayName, Id }

const endpoint = endpointsOf('portal-api')

export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'a colour such as #3b6fd4')
export const Tag = nameOf(40, 'Tag required')
export const Tags = z.array(Tag).max(30)
const Text = (max: number) => z.string().trim().max(max, `at most ${max} characters`)

export const Tenant = z.object({
  id: z.string(),
  identifier: z.string(),
  realm: z.string(),
  displayName: z.string(),
  spaces: z.array(z.object({ id: z.string(), apps: z.array(z.object({ id: z.string() })) })),
})
export type Tenant = z.infer<typeof Tenant>

export const SpaceCluster = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  provider: z.string(),
})

export const Space = z.object({
  /** 7 letters and digits. */
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  identifier: z.string(),
  description: z.string(),
  namespace: z.string().describe('{name}-{id}: the namespace of this space on each of its clusters'),
  apps: z.array(z.object({ id: z.string(), name: z.string(), displayName: z.string() })),
  clusters: z.array(SpaceCluster),
  /** Scopes of the caller in this space. */
  scopes: z.array(z.string()),
  createdAt: z.string(),
})
export type Space = z.infer<typeof Space>

export const SpaceInput = z.strictObject({
  displayName: DisplayName,
  description: Text(400).default(''),
  clusterIds: z.array(Id).max(50).default([]),
})
export type SpaceInput = z.infer<typeof SpaceInput>
/** The maker becomes the owner; who else may do what in it can be said at once. */
export const NewSpace = SpaceInput.extend({ members: z.array(PermissionInput).max(mostFirstMembers).default([]) })
export type NewSpace = z.infer<typeof NewSpace>

export const ResourceRole = z.object({ id: z.string(), name: z.string() })
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
  description: Text(4000).optional(),
  shortDescription: Text(200).optional(),
  color: Color.optional(),
  tags: Tags.optional(),
})
export type AppPatch = z.infer<typeof AppPatch>

const TagParams = z.object({ id: Id, tag: Tag })

export const portalApi = {
  limits: endpoint('GET', '/v1/limits', {
    summary: 'The limits that this portal holds callers to',
    reply: z.object({
      uploadBytes: z.number(),
      valuesBytes: z.number(),
      listLimit: z.number(),
      deployTimeoutSeconds: z.number(),
    }),
  }),
  tenantByRealm: endpoint('GET', '/v2/tenants/byrealm/:realm', {
    summary: 'The tenant of a realm',
    params: z.object({ realm: z.string().min(1).max(64) }),
    reply: Tenant,
  }),
  listSpaces: endpoint('GET', '/v2/spaces', {
    summary: 'Spaces of the tenant',
    query: ListQuery,
    reply: listOf(Space),
  }),
  getSpace: endpoint('GET', '/v3/spaces/:id', { summary: 'One space', params: ById, reply: Space }),
  createSpace: endpoint('POST', '/v3/spaces', { summary: 'Make a space', body: NewSpace, reply: Space, status: 201 }),
  updateSpace: endpoint('PUT', '/v3/spaces/:id', {
    summary: 'Change a space',
    params: ById,
    body: SpaceInput,
    reply: Space,
  }),
  deleteSpace: endpoint('DELETE', '/v3/spaces/:id', {
    summary: 'Delete a space without apps, and what it has on its clusters',
    params: ById,
    reply: DeletionAccepted,
    status: 202,
  }),
  listApps: endpoint('GET', '/v2/apps', {
    summary: 'Apps of the tenant; filters: kind, spaceId, clusterId, state, tag, catalogItemId',
    query: ListQuery,
    reply: listOf(App),
  }),
  getApp: endpoint('GET', '/v2/apps/:id', { summary: 'One app', params: ById, reply: App }),
  patchApp: endpoint('PATCH', '/v2/apps/:id', {
    summary: 'Change name, texts, colour or tags',
    params: ById,
    body: AppPatch,
    reply: App,
  }),
  addAppTag: endpoint('PUT', '/v2/apps/:id/tags/:tag', { summary: 'Add a tag', params: TagParams, reply: App }),
  removeAppTag: endpoint('DELETE', '/v2/apps/:id/tags/:tag', {
    summary: 'Remove a tag',
    params: TagParams,
    reply: App,
  }),
  scopes: endpoint('GET', '/v2/authz/scopes', {
    summary: 'The scopes that spaces and apps know',
    reply: z.object({ data: z.array(z.string()) }),
  }),
}
