import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Id } from '../http/primitives.ts'
import { User } from '../users/endpoints.ts'
import { Role, RoleChange } from './endpoints.ts'

const endpoint = endpointsOf('iam')

const OfClient = ById.extend({ rid: Id })

/** Changes of a client's roles, and who holds them. */
export const clientRoles = {
  updateClientRole: endpoint('PUT', '/v3/clients/:id/roles/:rid', {
    summary: 'Change a role of a client; a field that is left out stays as it is',
    params: OfClient,
    body: RoleChange,
    reply: Role,
  }),
  deleteClientRole: endpoint('DELETE', '/v3/clients/:id/roles/:rid', {
    summary: 'Delete a role of a client',
    params: OfClient,
    status: 204,
  }),
  findClientRoleUsers: endpoint('GET', '/v3/clients/:id/roles/:rid/users', {
    summary: 'Users to whom a role of a client is assigned itself, searched and paged, by user name',
    params: OfClient,
    query: ListQuery,
    reply: listOf(User),
  }),
}
