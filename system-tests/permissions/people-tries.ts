import type { Tries } from './tries.ts'
import type { Team, Tenant } from './two-teams.ts'

const nothing = 'nothing'
const idOf = ({ id }: { id: string }) => ({ id })

/** Roles of the tenant that people ask for and are given. */
export function roleTries({ roleRequest, answeredRoleRequest, roleGrant }: Tenant): Tries {
  const asking = { role: 'catalog-apps:catalog.publish', reason: 'Mine', hours: null }
  return {
    'POST /portal-api/v3/role-requests': {
      body: asking,
      // Everybody holds this one.
      mild: { body: { ...asking, role: 'apps:access' } },
      isEmptyAbroad: true,
    },
    'GET /portal-api/v3/role-requests': {},
    'POST /portal-api/v3/role-requests/:id/answer': {
      params: idOf(roleRequest),
      body: { decision: 'grant' },
      mild: { params: idOf(answeredRoleRequest), body: { decision: 'grant' } },
    },
    'GET /portal-api/v3/role-grants': {},
    'DELETE /portal-api/v3/role-grants/:id': { params: idOf(roleGrant), mild: { params: { id: nothing } } },
    'GET /portal-api/v3/role-grants/history': {},
  }
}

/** People, groups, roles and clients. */
export function iamTries({ client, peopleGroup }: Tenant, { viewer }: Team): Tries {
  const [person, group] = [{ params: { id: viewer.id } }, { params: idOf(peopleGroup) }]
  const making = { clientId: 'quayside-taken', realmRoles: ['quayside-viewer'] }
  return {
    'GET /iam/v2/account': {},
    'GET /iam/v2/account/sessions': {},
    'POST /iam/v2/account/logout': {},
    'GET /iam/v2/users': {},
    'GET /iam/v3/users': {},
    'GET /iam/v2/users/:id': person,
    'GET /iam/v2/users/:id/groups': person,
    'POST /iam/v3/users/lockouts': { body: { ids: [viewer.id] }, isEmptyAbroad: true },
    'DELETE /iam/v3/users/:id/lockout': person,
    'GET /iam/v3/locked-addresses': {},
    'DELETE /iam/v3/locked-addresses/:address': { params: { address: '203.0.113.7' } },
    'GET /iam/v3/unlockings': {},
    'GET /iam/v2/groups': {},
    'GET /iam/v2/groups/:id': group,
    'POST /iam/v2/groups/people': { body: { ids: [peopleGroup.id] }, isEmptyAbroad: true },
    'GET /iam/v2/groups/:id/members': group,
    'GET /iam/v2/roles': {},
    'GET /iam/v2/clients': {},
    'GET /iam/v2/clients/:id': { params: idOf(client) },
    'POST /iam/v2/clients': { body: making, isEmptyAbroad: true },
    'DELETE /iam/v2/clients/:id': { params: idOf(client), mild: { params: { id: nothing } } },
  }
}
