import type { Tries } from './tries.ts'
import type { Tenant } from './two-teams.ts'

/** Settings of the realm, which are those of all teams: who is let in sends nothing that changes them. */
export function realmTries(tenant: Tenant): Tries {
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
    // Refused calls of another tenant's administrator name what they were after.
    'GET /portal-api/v1/audit': { query: { 'filters.outcome': 'done' } },
    'GET /portal-api/v1/audit/export': { query: { 'filters.outcome': 'done', format: 'csv' } },
    ...providerTries(tenant),
    'GET /iam/v3/events': {},
    'GET /iam/v3/admin-events': {},
    'GET /iam/v3/events/settings': {},
    'PUT /iam/v3/events/settings': { body: noEvents, mild: { body: {} }, isEmptyAbroad: true },
    'GET /iam/v3/personal-tokens/settings': {},
    'PUT /iam/v3/personal-tokens/settings': {
      body: { enabled: false, longestDays: 1 },
      mild: { body: {} },
      isEmptyAbroad: true,
    },
    'GET /iam/v3/mail/settings': {},
    'PUT /iam/v3/mail/settings': { body: mailServer, mild: { body: {} }, isEmptyAbroad: true },
    'POST /iam/v3/mail/test': {
      body: { ...mailServer, to: 'a@demo.example' },
      mild: { body: {} },
      isEmptyAbroad: true,
    },
    'GET /iam/v3/outbox': {},
    'GET /iam/v3/outbox/:id': { params: { id: 'nothing' } },
    'POST /iam/v3/outbox/:id/send': { params: { id: 'nothing' } },
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

/** Identity providers with their mappings. */
function providerTries({ provider, peopleGroup }: Tenant): Tries {
  const params = { id: provider.id }
  const [nobody, ofMapping] = [{ id: 'nothing' }, { ...params, mid: provider.mapping }]
  const address = 'https://login.invalid'
  const added = { id: 'taken', name: 'Taken', address, clientId: 'taken', clientSecret: 'taken' }
  const mapping = { kind: 'group', claim: 'team', value: 'taken', groupId: peopleGroup.id }
  return {
    'GET /iam/v3/account/identities': {},
    'DELETE /iam/v3/account/identities/:id': { params: nobody },
    'GET /iam/v3/identity-providers': {},
    'GET /iam/v3/identity-providers/:id': { params },
    'POST /iam/v3/identity-providers/discover': { body: { address }, mild: { body: {} }, isEmptyAbroad: true },
    'POST /iam/v3/identity-providers': { body: added, mild: { body: {} }, isEmptyAbroad: true },
    'PUT /iam/v3/identity-providers/:id': { params, body: { enabled: false }, mild: { params: nobody, body: {} } },
    'DELETE /iam/v3/identity-providers/:id': { params, mild: { params: nobody } },
    'POST /iam/v3/identity-providers/:id/test': { params, mild: { params: nobody } },
    'GET /iam/v3/identity-providers/:id/mappings': { params },
    'POST /iam/v3/identity-providers/:id/mappings': { params, body: mapping, mild: { params: nobody, body: mapping } },
    'DELETE /iam/v3/identity-providers/:id/mappings/:mid': {
      params: ofMapping,
      mild: { params: { ...ofMapping, id: 'nothing' } },
    },
  }
}

const noEvents = {
  ...{ eventsEnabled: false, eventsExpiration: 0, adminEventsEnabled: false, adminEventsDetailsEnabled: false },
  adminEventsExpiration: 0,
}
const mailServer = {
  ...{ host: 'mail.invalid', port: null, from: 'taken@demo.example', fromDisplayName: '', replyTo: '' },
  ...{ encryption: 'starttls', user: '' },
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
  '/iam/v3/events/settings',
  '/iam/v3/mail/settings',
  '/iam/v3/identity-providers',
  '/iam/v3/personal-tokens/settings',
]
