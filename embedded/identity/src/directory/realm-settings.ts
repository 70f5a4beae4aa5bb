import type { JsonObject } from '../http/exchange.ts'
import { badRequest } from '../http/problem.ts'
import { readMailServer } from '../mail/mail-server.ts'
import { checkPasskeySetting, passkeyDefaults } from '../passkeys/policy.ts'
import { checkHeaders, type SecurityHeaders } from './security-headers.ts'

/**
 * The settings that this server acts on. Those of sign-in that it cannot obey are refused by name; everything else a
 * client sends is kept and given back.
 */
export interface RealmSettings {
  [setting: string]: unknown
  enabled: boolean
  displayName?: string
  registrationAllowed: boolean
  registrationEmailAsUsername: boolean
  resetPasswordAllowed: boolean
  verifyEmail: boolean
  loginWithEmailAllowed: boolean
  editUsernameAllowed: boolean
  rememberMe: boolean
  /** Tokens issued before, in seconds since 1970, count no more. */
  notBefore: number
  accessTokenLifespan: number
  ssoSessionIdleTimeout: number
  ssoSessionMaxLifespan: number
  accessCodeLifespan: number
  accessCodeLifespanLogin: number
  actionTokenGeneratedByAdminLifespan: number
  actionTokenGeneratedByUserLifespan: number
  oauth2DeviceCodeLifespan: number
  oauth2DevicePollingInterval: number
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
  smtpServer: Record<string, unknown>
  browserSecurityHeaders: SecurityHeaders
  defaultDefaultClientScopes: string[]
  defaultOptionalClientScopes: string[]
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
  actionTokenGeneratedByAdminLifespan: 43_200,
  actionTokenGeneratedByUserLifespan: 900,
  oauth2DeviceCodeLifespan: 600,
  oauth2DevicePollingInterval: 5,
  ssoSessionIdleTimeout: 1800,
  ssoSessionMaxLifespan: 36_000,
  bruteForceProtected: false,
  permanentLockout: false,
  maxTemporaryLockouts: 0,
  bruteForceStrategy: 'MULTIPLE',
  maxFailureWaitSeconds: 900,
  minimumQuickLoginWaitSeconds: 60,
  waitIncrementSeconds: 60,
  quickLoginCheckMilliSeconds: 0,
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
    referrerPolicy: 'same-origin',
    xRobotsTag: 'none',
    xFrameOptions: 'DENY',
    contentSecurityPolicy: "frame-src 'self'; frame-ancestors 'none'; object-src 'none';",
    strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  },
  ...passkeyDefaults,
  defaultDefaultClientScopes: ['web-origins', 'acr', 'profile', 'roles', 'basic', 'email'],
  defaultOptionalClientScopes: ['address', 'phone', 'offline_access', 'microprofile-jwt'],
  attributes: {},
}

/** Scopes that a new client gets, also in a realm that was made before there was a choice. */
export function defaultScopes({ defaultDefaultClientScopes, defaultOptionalClientScopes }: Partial<RealmSettings>) {
  return {
    defaultDefaultClientScopes: defaultDefaultClientScopes ?? defaults.defaultDefaultClientScopes,
    defaultOptionalClientScopes: defaultOptionalClientScopes ?? defaults.defaultOptionalClientScopes,
  }
}

/** Fields that name the realm or describe other tables: never part of the stored settings. */
const derived = ['id', 'realm', 'defaultRole', 'defaultRoles', 'defaultGroups', 'users', 'clients', 'roles', 'groups']

const booleans: readonly string[] = Object.keys(defaults).filter((key) => typeof defaults[key] === 'boolean')
const numbers: readonly string[] = Object.keys(defaults).filter((key) => typeof defaults[key] === 'number')

/** Settings of sign-in that this server cannot obey, with the one value that says what it does, and why. */
const unobeyed: Readonly<Record<string, readonly [obeyed: unknown, why: string]>> = {
  duplicateEmailsAllowed: [false, 'on this identity server an e-mail address belongs to one person'],
  quickLoginCheckMilliSeconds: [0, 'this identity server does not look at the time between two attempts'],
  ssoSessionIdleTimeoutRememberMe: [0, 'on this identity server remembered sessions last as long as others'],
  ssoSessionMaxLifespanRememberMe: [0, 'on this identity server remembered sessions last as long as others'],
}

const oneOf: Readonly<Record<string, readonly unknown[]>> = {
  otpPolicyDigits: [6, 8],
  otpPolicyType: ['totp', 'hotp'],
  otpPolicyAlgorithm: ['HmacSHA1', 'HmacSHA256', 'HmacSHA512'],
  bruteForceStrategy: ['LINEAR', 'MULTIPLE'],
}

const atLeastOne = [
  ...['accessTokenLifespan', 'ssoSessionIdleTimeout', 'ssoSessionMaxLifespan', 'otpPolicyPeriod', 'failureFactor'],
  ...['actionTokenGeneratedByAdminLifespan', 'actionTokenGeneratedByUserLifespan'],
  ...['oauth2DeviceCodeLifespan', 'oauth2DevicePollingInterval'],
]
/** PostgreSQL counts attempts and seconds in 32 bits. */
const largest = 2_147_483_647
/** Each code of the window is computed for each attempt. */
const widestWindow = 100

const isTextList = (value: unknown) => Array.isArray(value) && value.every((entry) => typeof entry === 'string')

function checkNumber(key: string, value: unknown): void {
  if (!(typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largest)) {
    throw badRequest(`${key} must be a whole number, zero or more`)
  }
  if (value === 0 && atLeastOne.includes(key)) throw badRequest(`${key} must be at least 1`)
  if (key === 'otpPolicyLookAheadWindow' && value > widestWindow)
    throw badRequest(`${key} must be at most ${widestWindow}`)
}

function check(key: string, value: unknown, over: RealmSettings): void {
  if (booleans.includes(key) && typeof value !== 'boolean') throw badRequest(`${key} must be true or false`)
  if (numbers.includes(key)) checkNumber(key, value)
  if (key in passkeyDefaults) checkPasskeySetting(key, value)
  if (key === 'smtpServer') readMailServer(value)
  if (/^default(Default|Optional)ClientScopes$/.test(key) && !isTextList(value))
    throw badRequest(`${key} must be a list of texts`)
  if (key === 'browserSecurityHeaders') checkHeaders(value, over.browserSecurityHeaders)
  if (key in oneOf && !oneOf[key]?.includes(value)) throw badRequest(`${key} must be ${oneOf[key]?.join(' or ')}`)
  const [obeyed, why] = unobeyed[key] ?? [value, '']
  if (value !== obeyed) throw badRequest(`${key} must be ${obeyed}: ${why}`)
}

/** Lays the sent fields over the given settings (or the defaults) after checking those that are acted on. */
export function mergeSettings(sent: JsonObject, over: RealmSettings = defaults): RealmSettings {
  const next: RealmSettings = { ...over }
  for (const [key, value] of Object.entries(sent)) {
    if (derived.includes(key) || value === undefined || value === null) continue
    check(key, value, over)
    next[key] = key === 'browserSecurityHeaders' ? { ...over.browserSecurityHeaders, ...(value as object) } : value
  }
  return next
}
