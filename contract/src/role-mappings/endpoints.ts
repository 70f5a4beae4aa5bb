import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById, Id } from '../http/primitives.ts'
import { Step } from '../permissions/endpoints.ts'
import { ChosenRoles, Role } from '../roles/endpoints.ts'

const endpoint = endpointsOf('iam')

const ByClient = ById.extend({ cid: Id })

const roleList = z.object({ data: z.array(Role) })

/** The calls about roles of one kind that one kind of holder has. */
function mappings<P extends z.ZodType, S extends string>(path: S, params: P, roles: string, holder: string) {
  return {
    assigned: endpoint('GET', path, { summary: `${roles} assigned to a ${holder} itself`, params, reply: roleList }),
    available: endpoint('GET', `${path}/available`, {
      summary: `${roles} that can still be assigned to a ${holder}`,
      params,
      reply: roleList,
    }),
    effective: endpoint('GET', `${path}/composite`, {
      summary: `${roles} that a ${holder} has, also inside of others and by groups`,
      params,
      reply: roleList,
    }),
    assign: endpoint('POST', path, {
      summary: `Assign ${roles.toLowerCase()} to a ${holder}`,
      params,
      body: ChosenRoles,
      status: 204,
    }),
    unassign: endpoint('DELETE', path, {
      summary: `Take ${roles.toLowerCase()} from a ${holder}`,
      params,
      body: ChosenRoles,
      status: 204,
    }),
  }
}

const [ofRealm, ofClient] = ['Roles of the realm', 'Roles of a client']

export const userRealmRoles = mappings('/v2/users/:id/role-mappings/realm', ById, ofRealm, 'user')
export const userClientRoles = mappings('/v2/users/:id/role-mappings/clients/:cid', ByClient, ofClient, 'user')
export const groupRealmRoles = mappings('/v2/groups/:id/role-mappings/realm', ById, ofRealm, 'group')
export const groupClientRoles = mappings('/v2/groups/:id/role-mappings/clients/:cid', ByClient, ofClient, 'group')

/** A role that somebody has, and one way by which they come to it. */
export const HeldRole = z.object({
  name: z.string(),
  /** Client id of the client whose role it is; null for a role of the realm. */
  client: z.string().nullable(),
  /** Groups and roles between the holder and the role; none where it is assigned itself. */
  through: z.array(Step),
  /** The role and its client as the calls above name them; null where the role is not assigned itself. */
  assigned: z.object({ id: z.string(), cid: z.string().nullable() }).nullable(),
})
export type HeldRole = z.infer<typeof HeldRole>

const heldRoles = z.object({ data: z.array(HeldRole) })

/** All roles at once, of the realm and of clients. */
export const heldRolesOf = {
  rolesOfUser: endpoint('GET', '/v3/users/:id/roles', {
    summary: 'Every role that a user has, with the ways to it',
    params: ById,
    reply: heldRoles,
  }),
  rolesOfGroup: endpoint('GET', '/v3/groups/:id/roles', {
    summary: 'Every role that the members of a group have by it, with the ways to it',
    params: ById,
    reply: heldRoles,
  }),
}
