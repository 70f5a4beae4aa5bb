import { pathOf } from '@quayside/contract/http/path'
import { accessRequests } from '@quayside/contract/permissions/access-requests'
import { permissions as endpoints } from '@quayside/contract/permissions/endpoints'
import { explaining } from '@quayside/contract/permissions/explain'
import {
  accessRequestPolicies,
  explainPolicies,
  permissionPolicies,
  roleRequestPolicies,
} from '@quayside/contract/permissions/policies'
import { roleRequests } from '@quayside/contract/permissions/role-requests'
import { scopes } from '@quayside/contract/permissions/scopes'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Permissions } from './index.ts'

const mostFound = 20

export function routes(http: Http, permissions: Permissions): void {
  const {
    entries,
    rights,
    roles,
    names,
    requests,
    roleRequests: ofTenant,
    members,
    explain,
    history,
    mustExist,
  } = permissions
  serve(http, endpoints, permissionPolicies, {
    scopes: async () => ({ data: [...scopes] }),
    myScopes: async ({ actor }) => ({ data: await rights.listed(actor) }),
    async listPermissions({ actor, params }) {
      await mustExist(actor.tenantId, params.id)
      return { data: await entries.list(actor, params.id) }
    },
    addPermission: ({ actor, params, body }) => entries.add(actor, params.id, body),
    changePermission: ({ actor, params, body }) => entries.change(actor, params.id, body),
    deletePermission: ({ actor, params }) => entries.remove(actor, params.id, params.pid),
    async permissionHistory({ actor, params, query }) {
      await mustExist(actor.tenantId, params.id)
      return history(actor, params.id, query, pathOf(endpoints.permissionHistory, params))
    },
    async listMembers({ actor, params }) {
      await mustExist(actor.tenantId, params.id)
      return members.list(actor, params.id)
    },
    async findPrincipals({ actor, params, query }) {
      await mustExist(actor.tenantId, params.id)
      return { data: await names.search(actor.realm, query.search, mostFound) }
    },
    findFirstMembers: async ({ actor, query }) => ({ data: await names.search(actor.realm, query.search, mostFound) }),
    listSpaceRoles: async ({ actor }) => ({ data: await roles.list(actor.tenantId) }),
    createSpaceRole: ({ actor, body }) => roles.create(actor, body),
    updateSpaceRole: ({ actor, params, body }) => roles.update(actor, params.id, body),
    deleteSpaceRole: ({ actor, params }) => roles.remove(actor, params.id),
  })
  serve(http, accessRequests, accessRequestPolicies, {
    requestAccess: ({ actor, params, body }) => requests.ask(actor, params.id, body),
    listMyRequests: ({ actor, query, access }) =>
      requests.mine(actor, query, access.spacesWith('space.view'), pathOf(accessRequests.listMyRequests)),
    listRequests: ({ actor, query, access }) =>
      requests.toAnswer(actor, query, access.spacesWith('space.members'), pathOf(accessRequests.listRequests)),
    answerRequest: ({ actor, params, body }) => requests.answer(actor, params.id, body),
    withdrawRequest: ({ actor, params }) => requests.withdraw(actor, params.id),
  })
  serve(http, roleRequests, roleRequestPolicies, {
    requestRole: ({ actor, body }) => ofTenant.ask(actor, body),
    listRoleRequests: ({ actor, query }) => ofTenant.toAnswer(actor, query, pathOf(roleRequests.listRoleRequests)),
    answerRoleRequest: ({ actor, params, body }) => ofTenant.answer(actor, params.id, body),
    listRoleGrants: ({ actor, query }) => ofTenant.granted(actor, query, pathOf(roleRequests.listRoleGrants)),
    endRoleGrant: ({ actor, params }) => ofTenant.end(actor, params.id),
    roleHistory: ({ actor, query }) => history(actor, '', query, pathOf(roleRequests.roleHistory)),
  })
  serve(http, explaining, explainPolicies, { explain: ({ actor, query }) => explain(actor, query) })
}
