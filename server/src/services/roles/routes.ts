import { pathOf } from '@quayside/contract/http/path'
import { clientRoles as clientEndpoints } from '@quayside/contract/roles/client-roles'
import { defaultRoles as defaultEndpoints, roles as endpoints } from '@quayside/contract/roles/endpoints'
import { clientRolePolicies, defaultRolePolicies, rolePolicies } from '@quayside/contract/roles/policies'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Http } from '../../platform/http/http.ts'
import { mustBeOwnRealm } from '../../platform/http/realm-of.ts'
import { serve } from '../../platform/http/route.ts'
import type { RoleAdministration } from './administration.ts'
import type { ClientRoles } from './client-roles.ts'
import type { DefaultRoles } from './default-roles.ts'
import type { Roles } from './index.ts'

interface Parts {
  roles: Roles
  administration: RoleAdministration
  defaults: DefaultRoles
  ofClients: ClientRoles
}

const idsOf = (body: readonly { id: string }[]) => body.map(({ id }) => id)

export function routes(http: Http, { roles, administration, defaults, ofClients }: Parts): void {
  serve(http, endpoints, rolePolicies, {
    listRoles: async ({ actor }) => ({ data: await roles.list(actor.realm) }),
    findRoles: ({ actor, query }) => roles.search(actor.realm, query, pathOf(endpoints.findRoles)),
    getRole: ({ actor, params }) => administration.get(actor, params.id),
    createRole: ({ actor, body }) => administration.create(actor, body),
    updateRole: ({ actor, params, body }) => administration.update(actor, params.id, body),
    deleteRole: ({ actor, params }) => administration.remove(actor, params.id),
    addParts: ({ actor, params, body }) => administration.addParts(actor, params.id, idsOf(body)),
    removeParts: ({ actor, params, body }) => administration.removeParts(actor, params.id, idsOf(body)),
    roleUsers: async ({ actor, params }) => ({ data: await roles.users(actor.realm, params.name) }),
    findRoleUsers: ({ actor, params, query }) =>
      roles.findUsers(actor.realm, params.name, query, pathOf(endpoints.findRoleUsers, params)),
  })
  const here = <T>(actor: Actor, realm: string, work: () => Promise<T>): Promise<T> => {
    mustBeOwnRealm(actor, realm)
    return work()
  }
  const list = async <T>(found: Promise<T[]>) => ({ data: await found })
  serve(http, defaultEndpoints, defaultRolePolicies, {
    listDefaultRoles: ({ actor, params }) => here(actor, params.realm, () => list(defaults.assigned(actor))),
    listOtherRoles: ({ actor, params }) => here(actor, params.realm, () => list(defaults.available(actor))),
    addDefaultRoles: ({ actor, params, body }) =>
      here(actor, params.realm, () => defaults.add(actor, undefined, idsOf(body))),
    removeDefaultRoles: ({ actor, params, body }) =>
      here(actor, params.realm, () => defaults.remove(actor, undefined, idsOf(body))),
    listClientRoles: ({ actor, params }) => list(defaults.ofClient(actor, params.id)),
    createClientRole: ({ actor, params, body }) => ofClients.create(actor, params.id, body),
    listClientDefaultRoles: ({ actor, params }) =>
      here(actor, params.realm, () => list(defaults.assigned(actor, params.id))),
    listOtherClientRoles: ({ actor, params }) =>
      here(actor, params.realm, () => list(defaults.available(actor, params.id))),
    addClientDefaultRoles: ({ actor, params, body }) =>
      here(actor, params.realm, () => defaults.add(actor, params.id, idsOf(body))),
    removeClientDefaultRoles: ({ actor, params, body }) =>
      here(actor, params.realm, () => defaults.remove(actor, params.id, idsOf(body))),
  })
  serve(http, clientEndpoints, clientRolePolicies, {
    updateClientRole: ({ actor, params, body }) => ofClients.update(actor, params, body),
    deleteClientRole: ({ actor, params }) => ofClients.remove(actor, params),
    findClientRoleUsers: ({ actor, params, query }) =>
      ofClients.findUsers(actor.realm, params, query, pathOf(clientEndpoints.findClientRoleUsers, params)),
  })
}
