import {
  groupClientRoles,
  groupRealmRoles,
  heldRolesOf,
  userClientRoles,
  userRealmRoles,
} from '@quayside/contract/role-mappings/endpoints'
import { groupRolePolicies, heldRolePolicies, userRolePolicies } from '@quayside/contract/role-mappings/policies'
import type { Http } from '../../platform/http/http.ts'
import { type Handlers, serve } from '../../platform/http/route.ts'
import type { Mappings, RoleMappings } from './index.ts'

export function routes(http: Http, mappings: RoleMappings): void {
  serve(http, userRealmRoles, userRolePolicies, verbsOf(mappings.ofUsers))
  serve(http, userClientRoles, userRolePolicies, verbsOf(mappings.ofUsers))
  serve(http, groupRealmRoles, groupRolePolicies, verbsOf(mappings.ofGroups))
  serve(http, groupClientRoles, groupRolePolicies, verbsOf(mappings.ofGroups))
  serve(http, heldRolesOf, heldRolePolicies, {
    rolesOfUser: async ({ actor, params }) => ({ data: await mappings.heldByUser(actor, params.id) }),
    rolesOfGroup: async ({ actor, params }) => ({ data: await mappings.heldByGroup(actor, params.id) }),
  })
}

/** The same verbs for roles of the realm and of a client, which the path names. */
function verbsOf(mappings: Mappings): Handlers<typeof userRealmRoles> {
  const ids = (body: readonly { id: string }[]) => body.map(({ id }) => id)
  return {
    assigned: async ({ actor, params }) => ({ data: await mappings.assigned(actor, params) }),
    available: async ({ actor, params }) => ({ data: await mappings.available(actor, params) }),
    effective: async ({ actor, params }) => ({ data: await mappings.effective(actor, params) }),
    assign: ({ actor, params, body }) => mappings.assign(actor, params, ids(body)),
    unassign: ({ actor, params, body }) => mappings.unassign(actor, params, ids(body)),
  }
}
