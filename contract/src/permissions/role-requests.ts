import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById } from '../http/primitives.ts'
import { AccessRequest, Hours, Note, Reason } from './access-requests.ts'
import { PermissionEvent } from './endpoints.ts'
import { roleOfId } from './roles.ts'

const endpoint = endpointsOf('portal-api')

/** A role of the tenant as questions name it: `clusters:clusters.edit`. */
export const TenantRoleId = z
  .string()
  .max(120)
  .refine(
    (asked) => roleOfId(asked) !== undefined,
    'must be a section and a role of it, such as catalog-apps:catalog.publish',
  )

export const RoleRequestInput = z.strictObject({ role: TenantRoleId, reason: Reason, hours: Hours })

export const RoleAnswer = z.strictObject({
  decision: z.enum(['grant', 'decline']),
  note: Note,
  /** For a grant: a different duration than requested, counted from the answer; null: until somebody takes it back. */
  hours: Hours.optional(),
})

/** A role of the tenant that somebody was given on request. */
export const RoleGrant = z.object({
  id: z.string(),
  person: z.object({ id: z.string(), name: z.string(), username: z.string() }),
  role: z.object({ id: z.string(), name: z.string() }),
  /** When it ends by itself; null: it lasts until it is taken back. */
  expiresAt: z.string().nullable(),
  grantedBy: z.string(),
  grantedByName: z.string(),
  grantedAt: z.string(),
})
export type RoleGrant = z.infer<typeof RoleGrant>

/** Asking for a role of the tenant, answering, and the roles that were given so. */
export const roleRequests = {
  requestRole: endpoint('POST', '/v3/role-requests', {
    summary: 'Ask for a role of the tenant',
    body: RoleRequestInput,
    reply: AccessRequest,
    status: 201,
  }),
  listRoleRequests: endpoint('GET', '/v3/role-requests', {
    summary: 'Open requests for roles of the tenant, oldest first',
    query: ListQuery,
    reply: listOf(AccessRequest),
  }),
  answerRoleRequest: endpoint('POST', '/v3/role-requests/:id/answer', {
    summary: 'Grant or decline a request for a role of the tenant that the caller holds as well',
    params: ById,
    body: RoleAnswer,
    reply: AccessRequest,
  }),
  listRoleGrants: endpoint('GET', '/v3/role-grants', {
    summary: 'Roles of the tenant that were given on request and last, newest first',
    query: ListQuery,
    reply: listOf(RoleGrant),
  }),
  endRoleGrant: endpoint('DELETE', '/v3/role-grants/:id', {
    summary: 'Take a role back that was given on request',
    params: ById,
    status: 204,
  }),
  roleHistory: endpoint('GET', '/v3/role-grants/history', {
    summary: 'Who asked for which role of the tenant, and who gave it to whom, newest first',
    query: ListQuery,
    reply: listOf(PermissionEvent),
  }),
}
