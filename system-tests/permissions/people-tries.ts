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

/** Settings of the realm, which are those of all teams: who is let in sends nothing that changes them. */
export function realmTries(): Tries {
  const named = { params: { realm: 'demo' } }
  const settings: [path: string, body: object][] = [
    ['/v2/realms/policies/password', { passwordPolicy: '' }],
    ['/v2/realms/login/settings', openLogin],
    ['/v2/realms/login/security-defenses/headers', noHeaders],
    ['/v2/realms/login/security-defenses/brute-force-detection', noDefence],
  ]
  return {
    'GET /iam/v2/realms/:realm': named,
    'GET /iam/v2/realms/:realm/authentication/required-actions': named,
    'GET /iam/v2/otp': {},
    'PUT /iam/v2/otp': { body: weakCodes, mild: { body: {} }, isEmptyAbroad: true },
    ...Object.fromEntries(
      settings.flatMap(([path, body]) => [
        [`GET /iam${path}`, {}],
        [`GET /iam${path}/:realm`, named],
        [`PUT /iam${path}`, { body, mild: { body: {} }, isEmptyAbroad: true }],
        [`PUT /iam${path}/:realm`, { ...named, body, mild: { ...named, body: {} } }],
      ]),
    ),
  }
}

const openLogin = {
  ...{ registrationAllowed: false, registrationEmailAsUsername: false, editUsernameAllowed: true },
  ...{ resetPasswordAllowed: false, rememberMe: true, verifyEmail: false, loginWithEmailAllowed: false },
  ...{ duplicateEmailsAllowed: false, ssoSessionIdleTimeout: 36_000, ssoSessionMaxLifespan: 360_000 },
}
const noHeaders = {
  ...{ xFrameOptions: '', contentSecurityPolicy: '', contentSecurityPolicyReportOnly: '', xContentTypeOptions: '' },
  ...{ xRobotsTag: '', referrerPolicy: '', strictTransportSecurity: '' },
}
const noDefence = {
  ...{ bruteForceProtected: false, permanentLockout: false, maxTemporaryLockouts: 0, bruteForceStrategy: 'MULTIPLE' },
  ...{ failureFactor: 1000, waitIncrementSeconds: 1, maxFailureWaitSeconds: 1, maxDeltaTimeSeconds: 60 },
  ...{ quickLoginCheckMilliSeconds: 0, minimumQuickLoginWaitSeconds: 1 },
}
const weakCodes = {
  ...{ otpPolicyType: 'hotp', otpPolicyAlgorithm: 'HmacSHA1', otpPolicyDigits: 6, otpPolicyLookAheadWindow: 50 },
  ...{ otpPolicyPeriod: 300, otpPolicyInitialCounter: 0, otpPolicyCodeReusable: true },
}

/** The settings as they are, to compare before and after. */
export const realmPaths = [
  '/iam/v2/realms/policies/password',
  '/iam/v2/realms/login/settings',
  '/iam/v2/realms/login/security-defenses/headers',
  '/iam/v2/realms/login/security-defenses/brute-force-detection',
  '/iam/v2/otp',
]

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
