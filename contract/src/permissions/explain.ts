import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { Id } from '../http/primitives.ts'
import { SpaceRole, Way } from './endpoints.ts'
import { NamedPrincipal, ScopeName } from './permission-entry.ts'
import { TenantRoleId } from './role-requests.ts'

const endpoint = endpointsOf('portal-api')

/** A scope, asked for in the space of a thing, or a role of the tenant as `section:role`. */
export const ExplainQuery = z
  .object({
    scope: ScopeName.optional(),
    role: TenantRoleId.optional(),
    place: z.enum(['space', 'app', 'action']).optional(),
    id: Id.optional(),
    /** Somebody else than the caller: for who may change the members of the space. */
    user: Id.optional(),
  })
  .refine(({ scope, role }) => (scope === undefined) !== (role === undefined), {
    path: ['scope'],
    message: 'ask for a scope or for a role',
  })
  .refine(({ scope, place, id }) => scope === undefined || (place !== undefined && id !== undefined), {
    path: ['id'],
    message: 'a scope is asked for in a place: say place and id',
  })
  .refine(({ role, user }) => role === undefined || user === undefined, {
    path: ['user'],
    message: 'roles of the tenant are explained to their holder alone',
  })

export const Explanation = z.object({
  allowed: z.boolean(),
  needs: z.string(),
  person: z.object({ id: z.string(), name: z.string() }),
  space: z.object({ id: z.string(), displayName: z.string() }).nullable(),
  /** Every way by which the person may do something there, whether or not it leads to what is asked for. */
  ways: z.array(Way),
  /** Roles or scopes that would have to be added; empty when the call is allowed. */
  missing: z.array(z.string()),
  /** Roles in the space, and roles of the realm, that hold it. */
  spaceRoles: z.array(SpaceRole.pick({ id: true, name: true })),
  tenantRoles: z.array(z.string()),
  /** Principals that may grant it: those of the space's list, and people and roles of the realm by the directory. */
  grantors: z.array(NamedPrincipal),
  /** Tells whether the caller can ask for it, and the request that waits already. */
  mayRequest: z.boolean(),
  /** Roles of the tenant to ask for, as `section:role`; empty where a role in the space is what to ask for. */
  tenantRolesToAskFor: z.array(z.string()),
  openRequestId: z.string().nullable(),
})
export type Explanation = z.infer<typeof Explanation>

export const explaining = {
  explain: endpoint('GET', '/v3/explain', {
    summary: 'Why somebody may, or may not: the ways to a scope or role, what is missing, and who may grant it',
    query: ExplainQuery,
    reply: Explanation,
  }),
}
