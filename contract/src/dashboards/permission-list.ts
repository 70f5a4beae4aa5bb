import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById, Id } from '../http/primitives.ts'
import { NamedPrincipal, RoleId } from '../permissions/permission-entry.ts'
import { DashboardScopeName } from './endpoints.ts'
import { dashboardScopes, mostDashboardPermissions } from './rules.ts'

const endpoint = endpointsOf('dashboard')

const Principal = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('user'), id: Id }),
  z.strictObject({ type: z.literal('group'), id: Id }),
  z.strictObject({ type: z.literal('role'), id: RoleId }),
  z.strictObject({ type: z.literal('everyone'), id: z.literal('').default('') }),
])
const scopes = z.array(DashboardScopeName).min(1, 'at least one scope').max(dashboardScopes.length)

export const DashboardPermission = z.object({
  id: z.string(),
  principal: NamedPrincipal.extend({ type: z.enum(['user', 'group', 'role', 'everyone']) }),
  scopes: z.array(DashboardScopeName),
  /** User name of the person who gave it. */
  grantedBy: z.string(),
  grantedAt: z.string(),
})
export type DashboardPermission = z.infer<typeof DashboardPermission>

export const DashboardPermissionInput = z.strictObject({ principal: Principal, scopes })
export type DashboardPermissionInput = z.infer<typeof DashboardPermissionInput>

/** One entry by its id, or the whole list as it shall be. */
export const DashboardPermissionChange = z.union([
  z.strictObject({ id: Id, scopes }),
  z.strictObject({ data: z.array(DashboardPermissionInput).min(1).max(mostDashboardPermissions) }),
])
export type DashboardPermissionChange = z.infer<typeof DashboardPermissionChange>

const List = z.object({ data: z.array(DashboardPermission) })

export const dashboardPermissions = {
  listDashboardPermissions: endpoint('GET', '/v3/dashboards/:id/permissions', {
    summary: 'Who may do what with a dashboard',
    params: ById,
    reply: List,
  }),
  addDashboardPermission: endpoint('POST', '/v3/dashboards/:id/permissions', {
    summary: 'Share a dashboard with a user, a group, holders of a role or everyone of the tenant',
    params: ById,
    body: DashboardPermissionInput,
    reply: DashboardPermission,
    status: 201,
  }),
  changeDashboardPermissions: endpoint('PUT', '/v3/dashboards/:id/permissions', {
    summary: 'Change an entry of the list, or the whole list',
    params: ById,
    body: DashboardPermissionChange,
    reply: List,
  }),
  deleteDashboardPermission: endpoint('DELETE', '/v3/dashboards/:id/permissions/:pid', {
    summary: 'Take an entry off the list; one manager stays',
    params: z.object({ id: Id, pid: Id }),
    status: 204,
  }),
  findDashboardPrincipals: endpoint('GET', '/v3/dashboards/:id/principals', {
    summary: 'Users and groups by name, for the permission list; 20 at most',
    params: ById,
    query: z.object({ search: z.string().trim().min(2, 'at least 2 characters').max(100, 'at most 100 characters') }),
    reply: z.object({ data: z.array(NamedPrincipal) }),
  }),
}
