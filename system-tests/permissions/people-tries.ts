import type { Tries } from './tries.ts'
import type { Team, Tenant } from './two-teams.ts'

const nothing = 'nothing'
const toldOfAll = { 'action-failed': true, 'app-unhealthy': true, 'app-healthy': true, 'token-expiring': true }
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

/** Users, how they sign in, and the roles and groups that they have. */
function userTries({ peopleGroup }: Tenant, { viewer }: Team): Tries {
  const ofViewer = { id: viewer.id }
  const nobody = { mild: { params: { id: nothing, gid: nothing, cid: nothing, realm: 'demo' } } }
  const here = { params: { ...ofViewer, realm: 'demo' } }
  const inGroup = { params: { ...ofViewer, gid: peopleGroup.id }, ...nobody }
  const password = { value: 'Taken-over-4711', temporary: false }
  const withBody = (body: unknown) => ({ body, mild: { params: nobody.mild.params, body } })
  return {
    'POST /iam/v3/users': {
      body: { username: 'taken' },
      mild: { body: { username: 'taken', groups: [nothing] } },
      isEmptyAbroad: true,
    },
    // Every tenant has a user of this name, and each finds its own.
    'GET /iam/v2/users/name/:username': { params: { username: 'admin' }, isEmptyAbroad: true },
    'PUT /iam/v2/users/:id': { params: ofViewer, ...withBody({ firstName: 'Taken' }) },
    'DELETE /iam/v2/users/:id': { params: ofViewer, ...nobody },
    'POST /iam/v2/users/:id/groups/:gid': inGroup,
    'DELETE /iam/v2/users/:id/groups/:gid': inGroup,
    'GET /iam/v2/users/:id/credentials': { params: ofViewer },
    'DELETE /iam/v2/users/:id/credentials/:cid': { params: { ...ofViewer, cid: nothing }, ...nobody },
    'GET /iam/v3/users/:id/identities': { params: ofViewer },
    'DELETE /iam/v3/users/:id/identities/:provider': { params: { ...ofViewer, provider: nothing }, ...nobody },
    'PUT /iam/v2/users/:id/reset-password': { params: ofViewer, ...withBody(password) },
    'PUT /iam/v2/users/:id/reset-password/realm/:realm': { ...here, ...withBody(password) },
    'PUT /iam/v2/users/:id/disable-credential-types': { params: ofViewer, ...withBody(['password']) },
    'PUT /iam/v2/users/:id/disable-credential-types/realm/:realm': { ...here, ...withBody(['password']) },
    'PUT /iam/v2/users/:id/execute-actions-email': { params: ofViewer, ...withBody(['UPDATE_PASSWORD']) },
    'PUT /iam/v2/users/:id/execute-actions-email/realm/:realm': { ...here, ...withBody(['UPDATE_PASSWORD']) },
    'POST /iam/v3/users/:id/action-link': { params: ofViewer, ...withBody({ actions: ['UPDATE_PASSWORD'] }) },
    'GET /iam/v3/users/:id/sessions': { params: ofViewer },
    'DELETE /iam/v3/users/:id/sessions': { params: ofViewer, ...nobody },
    'GET /iam/v3/users/:id/consents': { params: ofViewer },
    'GET /iam/v3/users/:id/tokens': { params: ofViewer },
    'DELETE /iam/v3/users/:id/tokens/:tid': {
      params: { ...ofViewer, tid: nothing },
      mild: { params: { id: nothing, tid: nothing } },
    },
    'GET /im/v1/notifications': {},
    'PATCH /im/v1/notifications/:id': { params: { id: nothing }, body: { isRead: true } },
    'POST /im/v1/notifications/read': {},
    'GET /im/v1/subscriptions': {},
    'PUT /im/v1/subscriptions': { body: toldOfAll, isEmptyAbroad: true },
    'GET /iam/v3/account/tokens': {},
    'POST /iam/v3/account/tokens': { body: { name: 'Mine', days: 1 }, isEmptyAbroad: true },
    'DELETE /iam/v3/account/tokens/:id': { params: { id: nothing } },
  }
}

/** Groups, and those that every new user is put into. */
function groupTries({ peopleGroup }: Tenant): Tries {
  const group = idOf(peopleGroup)
  const body = { name: 'Taken' }
  const [nobody, here] = [{ mild: { params: { id: nothing, childId: nothing } } }, { realm: 'demo' }]
  const mild = { params: nobody.mild.params, body }
  return {
    'POST /iam/v2/groups': { body: { name: 'Taken', description: 'x' }, mild: { body: {} }, isEmptyAbroad: true },
    'PUT /iam/v2/groups/:id': { params: group, body, mild },
    'DELETE /iam/v2/groups/:id': { params: group, ...nobody },
    'POST /iam/v2/groups/:id/children': { params: group, body, mild },
    'POST /iam/v2/groups/:id/children/:childId': { params: { ...group, childId: nothing }, ...nobody },
    'POST /iam/v3/groups/:id/top': { params: group, ...nobody },
    'GET /iam/v3/groups/:id/members': { params: group },
    'GET /iam/v2/realms/default-groups/:realm': { params: here },
    'PUT /iam/v2/realms/default-groups/:realm/:gid': {
      params: { ...here, gid: peopleGroup.id },
      mild: { params: { ...here, gid: nothing } },
    },
    'DELETE /iam/v2/realms/default-groups/:realm/:gid': {
      params: { ...here, gid: peopleGroup.id },
      mild: { params: { ...here, gid: nothing } },
    },
  }
}

/** Roles, and those that every user has. */
function roleAdministrationTries({ someRole, client }: Tenant): Tries {
  const [ofRole, ofClient, here] = [idOf(someRole), { ...idOf(client), realm: 'demo' }, { realm: 'demo' }]
  const [body, none] = [[{ id: someRole.id }], [{ id: nothing }]]
  const chosen = (params: Record<string, string>) => ({ params, body, mild: { params, body: none } })
  return {
    'GET /iam/v3/roles': {},
    'GET /iam/v2/roles/:id': { params: ofRole },
    'POST /iam/v2/roles': { body: { name: 'taken' }, mild: { body: {} }, isEmptyAbroad: true },
    'PUT /iam/v2/roles/:id': { params: ofRole, body: { name: 'taken' }, mild: { params: { id: nothing }, body: {} } },
    'DELETE /iam/v2/roles/:id': { params: ofRole, mild: { params: { id: nothing } } },
    'POST /iam/v3/roles/:id/parts': { ...chosen(ofRole), mild: { params: { id: nothing }, body } },
    'DELETE /iam/v3/roles/:id/parts': { ...chosen(ofRole), mild: { params: { id: nothing }, body } },
    // Every tenant has a role of this name, and each finds its own people.
    'GET /iam/v2/roles/:name/users': { params: { name: 'quayside-viewer' }, isEmptyAbroad: true },
    'GET /iam/v3/roles/:name/users': { params: { name: 'quayside-viewer' }, isEmptyAbroad: true },
    'GET /iam/v2/realms/default-roles/assigned/:realm': { params: here },
    'GET /iam/v2/realms/default-roles/available/:realm': { params: here },
    'POST /iam/v2/realms/default-roles/assigned/:realm': chosen(here),
    'DELETE /iam/v2/realms/default-roles/assigned/:realm': chosen(here),
    'GET /iam/v3/clients/:id/roles': { params: idOf(client) },
    'POST /iam/v2/clients/:id/roles': {
      params: idOf(client),
      body: { name: 'taken' },
      mild: { params: { id: nothing }, body: { name: 'taken' } },
    },
    'GET /iam/v2/clients/:id/roles/default/assigned/realm/:realm': { params: ofClient },
    'GET /iam/v2/clients/:id/roles/default/available/realm/:realm': { params: ofClient },
    'POST /iam/v2/clients/:id/roles/default/assigned/realm/:realm': chosen(ofClient),
    'DELETE /iam/v2/clients/:id/roles/default/assigned/:realm': chosen(ofClient),
  }
}

/** Roles that users and groups are assigned. */
function roleMappingTries({ peopleGroup, client, someRole }: Tenant, { viewer }: Team): Tries {
  const body = [{ id: someRole.id }]
  const tries = (holder: string, id: string) =>
    ['realm', 'clients/:cid'].flatMap((of) => {
      const path = `/iam/v2/${holder}/:id/role-mappings/${of}`
      const params = { id, cid: client.id }
      const change = { params, body, mild: { params: { id: nothing, cid: nothing }, body } }
      const reads = ['', '/available', '/composite'].map((end) => [`GET ${path}${end}`, { params }] as const)
      return [...reads, [`POST ${path}`, change] as const, [`DELETE ${path}`, change] as const]
    })
  return {
    ...Object.fromEntries([...tries('users', viewer.id), ...tries('groups', peopleGroup.id)]),
    'GET /iam/v3/users/:id/roles': { params: { id: viewer.id } },
    'GET /iam/v3/groups/:id/roles': { params: idOf(peopleGroup) },
  }
}

/** Clients with their settings, their secrets and their roles. */
function clientTries({ client }: Tenant): Tries {
  const params = idOf(client)
  const nobody = { id: nothing, rid: nothing }
  const application = {
    clientId: 'quayside-taken',
    name: 'Taken',
    isPublic: true,
    redirectUris: ['https://x.example/'],
  }
  const ofRole = { params: { ...params, rid: nothing } }
  return {
    'GET /iam/v2/clients': {},
    'GET /iam/v2/clients/:id': { params },
    'POST /iam/v2/clients': {
      body: { clientId: 'quayside-taken', realmRoles: ['quayside-viewer'] },
      isEmptyAbroad: true,
    },
    'DELETE /iam/v2/clients/:id': { params, mild: { params: nobody } },
    'GET /iam/v3/clients': {},
    'GET /iam/v3/clients/:id': { params },
    'POST /iam/v3/clients': { body: application, isEmptyAbroad: true },
    'PUT /iam/v3/clients/:id': { params, body: { enabled: false }, mild: { params: nobody, body: {} } },
    'DELETE /iam/v3/clients/:id': { params, mild: { params: nobody } },
    'POST /iam/v3/clients/:id/secret': { params, mild: { params: nobody } },
    'GET /iam/v3/clients/:id/sessions': { params },
    'PUT /iam/v3/clients/:id/roles/:rid': { ...ofRole, body: { name: 'taken' }, mild: { params: nobody, body: {} } },
    'DELETE /iam/v3/clients/:id/roles/:rid': { ...ofRole, mild: { params: nobody } },
    'GET /iam/v3/clients/:id/roles/:rid/users': ofRole,
  }
}

/** People, groups, roles and clients. */
export function iamTries(tenant: Tenant, team: Team): Tries {
  const { peopleGroup } = tenant
  const { viewer } = team
  const [person, group] = [{ params: { id: viewer.id } }, { params: idOf(peopleGroup) }]
  return {
    ...userTries(tenant, team),
    ...roleMappingTries(tenant, team),
    ...groupTries(tenant),
    ...roleAdministrationTries(tenant),
    ...clientTries(tenant),
    'GET /iam/v2/account': {},
    'GET /portal-api/v0/currency': {},
    'PUT /portal-api/v0/currency': { body: { currency: nothing } },
    'GET /iam/v2/account/sessions': {},
    'POST /iam/v2/account/logout': {},
    // Everybody's own: a body that is none, and things that nobody has.
    'PUT /iam/v2/account': { body: { email: 'nowhere' } },
    'PUT /iam/v2/account/resetpassword': {},
    'PUT /iam/v2/account/resetmypassword': {},
    'POST /iam/v3/account/second-factor': {},
    'POST /iam/v3/account/email': {},
    'POST /iam/v3/account/passkey': {},
    'GET /iam/v3/account/credentials': {},
    'DELETE /iam/v3/account/credentials/:id': { params: { id: nothing } },
    'GET /iam/v2/account/sessions/:id': { params: { id: nothing } },
    'DELETE /iam/v3/account/sessions/:id': { params: { id: nothing } },
    'GET /iam/v2/account/activities': {},
    'GET /iam/v3/account/consents': {},
    'GET /iam/v2/account/consents/:id': { params: { id: nothing } },
    'DELETE /iam/v2/account/consent/:id': { params: { id: nothing } },
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
  }
}
