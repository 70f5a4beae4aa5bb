import type { JsonObject } from '../http/exchange.ts'
import { badRequest } from '../http/problem.ts'

/** The settings that this server acts on; everything else a client sends is kept and given back. */
export interface RealmSettings {
  [setting: string]: unknown
  enabled: boolean
  displayName?: string
  loginWithEmailAllowed: boolean
  editUsernameAllowed: boolean
  rememberMe: boolean
  accessTokenLifespan: number
  ssoSessionIdleTimeout: number
  ssoSessionMaxLifespan: number
  accessCodeLifespan: number
  accessCodeLifespanLogin: number
  passwordPolicy?: string
  bruteForceProtected: boolean
  permanentLockout: boolean
  maxTemporaryLockouts: number
  bruteForceStrategy: string
  maxFailureWaitSeconds: number
  waitIncrementSeconds: number
  minimumQuickLoginWaitSeconds: number
  quickLoginCheckMilliSeconds: number
  maxDeltaTimeSeconds: number
  failureFactor: number
  otpPolicyType: string
  otpPolicyAlgorithm: string
  otpPolicyDigits: number
  otpPolicyLookAheadWindow: number
  otpPolicyPeriod: number
  otpPolicyInitialCounter: number
  otpPolicyCodeReusable: boolean
  eventsEnabled: boolean
  eventsExpiration: number
  enabledEventTypes: string[]
  browserSecurityHeaders: Record<string, string>
  attributes: Record<string, string>
}

const defaults: RealmSettings = {
  enabled: true,
  notBefore: 0,
  sslRequired: 'external',
  registrationAllowed: false,
  registrationEmailAsUsername: false,
  rememberMe: false,
  verifyEmail: false,
  loginWithEmailAllowed: true,
  duplicateEmailsAllowed: false,
  resetPasswordAllowed: false,
  editUsernameAllowed: false,
  defaultSignatureAlgorithm: 'RS256',
  revokeRefreshToken: true,
  refreshTokenMaxReuse: 0,
  accessTokenLifespan: 300,
  accessCodeLifespan: 60,
  accessCodeLifespanLogin: 1800,
  accessCodeLifespanUserAction: 300,
  ssoSessionIdleTimeout: 1800,
  ssoSessionMaxLifespan: 36_000,
  bruteForceProtected: false,
  permanentLockout: false,
  maxTemporaryLockouts: 0,
  bruteForceStrategy: 'MULTIPLE',
  maxFailureWaitSeconds: 900,
  minimumQuickLoginWaitSeconds: 60,
  waitIncrementSeconds: 60,
  quickLoginCheckMilliSeconds: 1000,
  maxDeltaTimeSeconds: 43_200,
  failureFactor: 30,
  requiredCredentials: ['password'],
  otpPolicyType: 'totp',
  otpPolicyAlgorithm: 'HmacSHA1',
  otpPolicyInitialCounter: 0,
  otpPolicyDigits: 6,
  otpPolicyLookAheadWindow: 1,
  otpPolicyPeriod: 30,
  otpPolicyCodeReusable: false,
  eventsEnabled: false,
  eventsExpiration: 0,
  eventsListeners: ['jboss-logging'],
  enabledEventTypes: [],
  adminEventsEnabled: false,
  adminEventsDetailsEnabled: false,
  internationalizationEnabled: false,
  supportedLocales: [],
  smtpServer: {},
  browserSecurityHeaders: {
    contentSecurityPolicyReportOnly: '',
    xContentTypeOptions: 'nosniff',
    referrerPolicy: 'no-referrer',
    xRobotsTag: 'none',
    xFrameOptions: 'SAMEORIGIN',
    contentSecurityPolicy: "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
    strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  },
  attributes: {},
}

/** Fields that name the realm or describe other tables: never part of the stored settings. */
const derived = ['id', 'realm', 'defaultRole', 'defaultRoles', 'defaultGroups', 'users', 'clients', 'roles', 'groups']

const booleans: readonly string[] = Object.keys(defaults).filter((key) => typeof defaults[key] === 'boolean')
const numbers: readonly string[] = Object.keys(defaults).filter((key) => typeof defaults[key] === 'number')

function isRecordOfText(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && Object.values(value).every((entry) => typeof entry === 'string')
}

function check(key: string, value: unknown): void {
  if (booleans.includes(key) && typeof value !== 'boolean') throw badRequest(`${key} must be true or false`)
  if (numbers.includes(key) && !(typeof value === 'number' && Number.isInteger(value) && value >= 0)) {
    throw badRequest(`${key} must be a whole number, zero or more`)
  }
  if (key === 'browserSecurityHeaders' && !isRecordOfText(value)) throw badRequest(`${key} must map names to texts`)
  if (key === 'otpPolicyDigits' && value !== 6 && value !== 8) throw badRequest('otpPolicyDigits must be 6 or 8')
  if (key === 'otpPolicyType' && value !== 'totp' && value !== 'hotp')
    throw badRequest('otpPolicyType must be totp or hotp')
  if (key === 'duplicateEmailsAllowed' && value === true)
    throw badRequest('duplicate e-mail addresses are not supported')
  if (key === 'failureFactor' && value === 0) throw badRequest('failureFactor must be at least 1')
  const lifespans = ['accessTokenLifespan', 'ssoSessionIdleTimeout', 'ssoSessionMaxLifespan', 'otpPolicyPeriod']
  if (lifespans.includes(key) && value === 0) throw badRequest(`${key} must be at least 1`)
}

/** Lays the sent fields over the given settings (or the defaults) after checking those that are acted on. */
export function mergeSettings(sent: JsonObject, over: RealmSettings = defaults): RealmSettings {
  const next: RealmSettings = { ...over }
  for (const [key, value] of Object.entries(sent)) {
    if (derived.includes(key) || value === undefined || value === null) continue
    check(key, value)
    next[key] = key === 'browserSecurityHeaders' ? { ...over.browserSecurityHeaders, ...(value as object) } : value
  }
  return next
}
