import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, DisplayName, Id, Tags, textOf } from '../http/primitives.ts'
import { dashboardScopes } from './rules.ts'
import { DashboardSpec } from './spec.ts'

const endpoint = endpointsOf('dashboard')

export const DashboardScopeName = z.enum(dashboardScopes)

export const DashboardRow = z.object({
  id: z.string(),
  displayName: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  /** Scopes of the caller on this dashboard. */
  scopes: z.array(DashboardScopeName),
  ownerId: z.string(),
  /** User name of the owner. */
  owner: z.string(),
  /** How many panels it has. */
  panels: z.number(),
  /** Spaces that its panels name. */
  spaceIds: z.array(z.string()),
  starred: z.boolean(),
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  updatedBy: z.string(),
  /** When it was deleted; null for one that is there. */
  deletedAt: z.string().nullable(),
})
export type DashboardRow = z.infer<typeof DashboardRow>

export const Dashboard = DashboardRow.extend({ spec: DashboardSpec })
export type Dashboard = z.infer<typeof Dashboard>

const texts = {
  displayName: DisplayName,
  description: textOf(longest.description).default(''),
  tags: Tags.default([]),
}
/** A dashboard as it shall be, or a copy of one that the caller sees, with the texts and tags of that where none are given. */
export const NewDashboard = z
  .strictObject({
    displayName: DisplayName.optional(),
    description: textOf(longest.description).optional(),
    tags: Tags.optional(),
    spec: DashboardSpec.optional(),
    from: z.strictObject({ dashboardId: Id }).optional(),
    /** A user who owns and manages it beside the caller, who holds `spaces.manage` then. */
    ownerId: Id.optional(),
  })
  .refine(({ displayName, from }) => from !== undefined || displayName !== undefined, {
    error: 'Name required',
    path: ['displayName'],
  })
  .refine(({ spec, from }) => from === undefined || spec === undefined, {
    error: 'a copy has the content of the other dashboard',
    path: ['spec'],
  })
export type NewDashboard = z.infer<typeof NewDashboard>

export const DashboardInput = z.strictObject({
  ...texts,
  spec: DashboardSpec,
  /** The revision that was changed: another one in the meantime refuses this. */
  baseRevision: z.number().int().min(1),
})
export type DashboardInput = z.infer<typeof DashboardInput>

const TagCount = z.object({ tag: z.string(), count: z.number() })

export const dashboards = {
  dashboardScopes: endpoint('GET', '/v1/manage/scopes', {
    summary: 'The scopes that dashboards know',
    reply: z.object({ data: z.array(z.string()) }),
  }),
  listDashboards: endpoint('GET', '/v2/dashboards', {
    summary: 'Dashboards that the caller sees; filters: tag, spaceId, owner, starred, deleted, orphaned',
    query: ListQuery,
    reply: listOf(DashboardRow),
  }),
  listDashboardTags: endpoint('GET', '/v1/tags/dashboards', {
    summary: 'Tags of the dashboards that the caller sees, each with how many have it',
    query: z.object({ search: z.string().max(100, 'at most 100 characters').optional() }),
    reply: z.object({ data: z.array(TagCount) }),
  }),
  getDashboard: endpoint('GET', '/v3/dashboards/:id', { summary: 'One dashboard', params: ById, reply: Dashboard }),
  createDashboard: endpoint('POST', '/v3/dashboards', {
    summary: 'Make a dashboard, or copy one',
    body: NewDashboard,
    reply: Dashboard,
    status: 201,
  }),
  updateDashboard: endpoint('PUT', '/v3/dashboards/:id', {
    summary: 'Save a dashboard; refused when another revision was saved in the meantime',
    params: ById,
    body: DashboardInput,
    reply: Dashboard,
  }),
  deleteDashboard: endpoint('DELETE', '/v3/dashboards/:id', {
    summary: 'Delete a dashboard; it can be restored for 30 days',
    params: ById,
    status: 204,
  }),
  restoreDashboard: endpoint('POST', '/v3/dashboards/:id/restore', {
    summary: 'Restore a dashboard that was deleted',
    params: ById,
    reply: Dashboard,
  }),
  takeOverDashboard: endpoint('POST', '/v3/dashboards/:id/take-over', {
    summary: 'Take over a dashboard that nobody manages any more; the caller owns and manages it',
    params: ById,
    reply: Dashboard,
  }),
  starDashboard: endpoint('PUT', '/v3/dashboards/:id/star', {
    summary: 'Star a dashboard, for the caller alone',
    params: ById,
    body: z.strictObject({ starred: z.boolean() }),
    status: 204,
  }),
}
