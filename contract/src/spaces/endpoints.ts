import { z } from 'zod'
import { DeletionAccepted } from '../deployments/deletion.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, DisplayName, Id, Moment, textOf } from '../http/primitives.ts'
import { mostFirstMembers, PermissionInput } from '../permissions/permission-entry.ts'

const endpoint = endpointsOf('portal-api')

const SpaceCluster = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  provider: z.string(),
})

const mostExempt = 20

/** A time in which nothing is deployed in a space, but by a few people. */
const Freeze = z.object({
  reason: z.string(),
  /** Null until somebody ends it. */
  until: z.string().nullable(),
  /** User name of the person who gave the reason. */
  by: z.string(),
  at: z.string(),
  /** People who deploy all the same. */
  exempt: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type Freeze = z.infer<typeof Freeze>
export const FreezeInput = z.strictObject({
  reason: textOf(longest.description).refine((text) => text !== '', 'must say why'),
  until: Moment.nullable().default(null),
  exempt: z.array(Id).max(mostExempt).default([]),
})
export type FreezeInput = z.infer<typeof FreezeInput>

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
  freeze: Freeze.nullable(),
  /** Scopes of the caller in this space. */
  scopes: z.array(z.string()),
  createdAt: z.string(),
})
export type Space = z.infer<typeof Space>

const description = textOf(longest.description)
const clusterIds = z.array(Id).max(50)
/** A space as it shall be: a description or clusters that are left out stay as they are. */
export const SpaceInput = z.strictObject({
  displayName: DisplayName,
  description: description.optional(),
  clusterIds: clusterIds.optional(),
})
export type SpaceInput = z.infer<typeof SpaceInput>
/** The maker becomes the owner; who else may do what in it can be said at once. */
export const NewSpace = z.strictObject({
  displayName: DisplayName,
  description: description.default(''),
  clusterIds: clusterIds.default([]),
  members: z.array(PermissionInput).max(mostFirstMembers).default([]),
})
export type NewSpace = z.infer<typeof NewSpace>

export const spaces = {
  listSpaces: endpoint('GET', '/v2/spaces', {
    summary: 'Spaces of the tenant',
    query: ListQuery,
    reply: listOf(Space),
  }),
  getSpace: endpoint('GET', '/v3/spaces/:id', { summary: 'One space', params: ById, reply: Space }),
  createSpace: endpoint('POST', '/v3/spaces', { summary: 'Make a space', body: NewSpace, reply: Space, status: 201 }),
  updateSpace: endpoint('PUT', '/v3/spaces/:id', {
    summary: 'Change a space; what it has on clusters that it leaves is removed, and apps there refuse that',
    params: ById,
    body: SpaceInput,
    reply: Space,
  }),
  freezeSpace: endpoint('PUT', '/v3/spaces/:id/freeze', {
    summary: 'Let nobody deploy, upgrade, roll back, delete or scale apps of a space, but the people named',
    params: ById,
    body: FreezeInput,
    reply: Space,
  }),
  unfreezeSpace: endpoint('DELETE', '/v3/spaces/:id/freeze', {
    summary: 'End a freeze',
    params: ById,
    reply: Space,
  }),
  deleteSpace: endpoint('DELETE', '/v3/spaces/:id', {
    summary: 'Delete a space without apps, and what it has on its clusters',
    params: ById,
    reply: DeletionAccepted,
    status: 202,
  }),
}
