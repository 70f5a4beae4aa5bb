import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longestPolicy, limitsOfSettings as most } from './limits.ts'
import { digitsOfCodes, hashesOfCodes, lockoutStrategies, typesOfCodes } from './names.ts'
import { rulesProblem } from './password-rules.ts'

const endpoint = endpointsOf('iam')

const OfRealm = z.object({ realm: z.string().min(1).max(64) })

export const Realm = z.object({ id: z.string(), realm: z.string(), displayName: z.string(), enabled: z.boolean() })
export type Realm = z.infer<typeof Realm>

const number = ({ least, most: highest }: { least: number; most: number }) => z.number().int().min(least).max(highest)

/** Rules for new passwords in Keycloak's text: `length(8) and digits(1) and notUsername(undefined)`; empty for none. */
const PasswordPolicy = z.object({ passwordPolicy: z.string() })
const PasswordPolicyInput = z.strictObject({
  passwordPolicy: z
    .string()
    .trim()
    .max(longestPolicy)
    .superRefine((text, { addIssue }) => {
      const problem = rulesProblem(text)
      if (problem !== undefined) addIssue({ code: 'custom', message: problem })
    }),
})

/** Times are in seconds. */
export const LoginSettings = z.object({
  registrationAllowed: z.boolean(),
  registrationEmailAsUsername: z.boolean(),
  editUsernameAllowed: z.boolean(),
  resetPasswordAllowed: z.boolean(),
  rememberMe: z.boolean(),
  verifyEmail: z.boolean(),
  loginWithEmailAllowed: z.boolean(),
  duplicateEmailsAllowed: z.boolean(),
  ssoSessionIdleTimeout: z.number(),
  ssoSessionMaxLifespan: z.number(),
})
export type LoginSettings = z.infer<typeof LoginSettings>
const LoginSettingsInput = z
  .strictObject({
    ...LoginSettings.shape,
    ssoSessionIdleTimeout: number(most.ssoSessionIdleTimeout),
    ssoSessionMaxLifespan: number(most.ssoSessionMaxLifespan),
  })
  .refine(
    ({ duplicateEmailsAllowed, loginWithEmailAllowed, registrationEmailAsUsername }) =>
      !duplicateEmailsAllowed || !(loginWithEmailAllowed || registrationEmailAsUsername),
    {
      path: ['duplicateEmailsAllowed'],
      message: 'only where nobody signs in or registers with an e-mail address',
    },
  )
  .refine(({ ssoSessionIdleTimeout, ssoSessionMaxLifespan }) => ssoSessionIdleTimeout <= ssoSessionMaxLifespan, {
    path: ['ssoSessionIdleTimeout'],
    message: 'at most as long as a session lasts',
  })

/** Times are in seconds unless their name says milliseconds. */
export const BruteForceDetection = z.object({
  bruteForceProtected: z.boolean(),
  permanentLockout: z.boolean(),
  maxTemporaryLockouts: z.number(),
  bruteForceStrategy: z.enum(lockoutStrategies),
  failureFactor: z.number(),
  waitIncrementSeconds: z.number(),
  maxFailureWaitSeconds: z.number(),
  maxDeltaTimeSeconds: z.number(),
  quickLoginCheckMilliSeconds: z.number(),
  minimumQuickLoginWaitSeconds: z.number(),
})
export type BruteForceDetection = z.infer<typeof BruteForceDetection>
const BruteForceDetectionInput = z.strictObject({
  ...BruteForceDetection.shape,
  maxTemporaryLockouts: number(most.maxTemporaryLockouts),
  failureFactor: number(most.failureFactor),
  waitIncrementSeconds: number(most.waitIncrementSeconds),
  maxFailureWaitSeconds: number(most.maxFailureWaitSeconds),
  maxDeltaTimeSeconds: number(most.maxDeltaTimeSeconds),
  quickLoginCheckMilliSeconds: number(most.quickLoginCheckMilliSeconds),
  minimumQuickLoginWaitSeconds: number(most.minimumQuickLoginWaitSeconds),
})

/** Headers of the sign-in pages by Keycloak's names; an empty text sends none. */
export const SecurityHeaders = z.object({
  xFrameOptions: z.string(),
  contentSecurityPolicy: z.string(),
  contentSecurityPolicyReportOnly: z.string(),
  xContentTypeOptions: z.string(),
  xRobotsTag: z.string(),
  referrerPolicy: z.string(),
  strictTransportSecurity: z.string(),
})
export type SecurityHeaders = z.infer<typeof SecurityHeaders>
const headerText = z
  .string()
  .trim()
  .max(2000)
  .regex(/^[\x20-\x7e]*$/, 'one line of ASCII characters')
const SecurityHeadersInput = z.strictObject({
  xFrameOptions: headerText,
  contentSecurityPolicy: headerText,
  contentSecurityPolicyReportOnly: headerText,
  xContentTypeOptions: headerText,
  xRobotsTag: headerText,
  referrerPolicy: headerText,
  strictTransportSecurity: headerText,
})

/** One-time codes as a second factor. A device that is set up already keeps what it was set up with. */
export const OtpPolicy = z.object({
  otpPolicyType: z.enum(typesOfCodes),
  otpPolicyAlgorithm: z.enum(hashesOfCodes),
  otpPolicyDigits: z.number(),
  otpPolicyLookAheadWindow: z.number(),
  otpPolicyPeriod: z.number(),
  otpPolicyInitialCounter: z.number(),
  otpPolicyCodeReusable: z.boolean(),
})
export type OtpPolicy = z.infer<typeof OtpPolicy>
const OtpPolicyInput = z.strictObject({
  ...OtpPolicy.shape,
  otpPolicyDigits: z.literal([...digitsOfCodes]),
  otpPolicyLookAheadWindow: number(most.otpPolicyLookAheadWindow),
  otpPolicyPeriod: number(most.otpPolicyPeriod),
  otpPolicyInitialCounter: number(most.otpPolicyInitialCounter),
})

/** Something that a person is asked to do when they sign in. */
export const RequiredAction = z.object({
  alias: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  /** Everybody who is added is asked for it. */
  defaultAction: z.boolean(),
})
export type RequiredAction = z.infer<typeof RequiredAction>

const headers = '/v2/realms/login/security-defenses/headers'
const bruteForce = '/v2/realms/login/security-defenses/brute-force-detection'

/** How people sign in to a tenant. Where a path ends in a realm it can be left out: it is the caller's own. */
export const realms = {
  getRealm: endpoint('GET', '/v2/realms/:realm', { summary: 'The realm', params: OfRealm, reply: Realm }),
  passwordPolicy: endpoint('GET', '/v2/realms/policies/password', {
    summary: 'The rules for new passwords',
    reply: PasswordPolicy,
  }),
  passwordPolicyOf: endpoint('GET', '/v2/realms/policies/password/:realm', {
    summary: 'The rules for new passwords',
    params: OfRealm,
    reply: PasswordPolicy,
  }),
  setPasswordPolicy: endpoint('PUT', '/v2/realms/policies/password', {
    summary: 'Set the rules for new passwords',
    body: PasswordPolicyInput,
    reply: PasswordPolicy,
  }),
  setPasswordPolicyOf: endpoint('PUT', '/v2/realms/policies/password/:realm', {
    summary: 'Set the rules for new passwords',
    params: OfRealm,
    body: PasswordPolicyInput,
    reply: PasswordPolicy,
  }),
  loginSettings: endpoint('GET', '/v2/realms/login/settings', {
    summary: 'How people sign in, and how long sessions last',
    reply: LoginSettings,
  }),
  loginSettingsOf: endpoint('GET', '/v2/realms/login/settings/:realm', {
    summary: 'How people sign in, and how long sessions last',
    params: OfRealm,
    reply: LoginSettings,
  }),
  setLoginSettings: endpoint('PUT', '/v2/realms/login/settings', {
    summary: 'Set how people sign in, and how long sessions last',
    body: LoginSettingsInput,
    reply: LoginSettings,
  }),
  setLoginSettingsOf: endpoint('PUT', '/v2/realms/login/settings/:realm', {
    summary: 'Set how people sign in, and how long sessions last',
    params: OfRealm,
    body: LoginSettingsInput,
    reply: LoginSettings,
  }),
  requiredActions: endpoint('GET', '/v2/realms/:realm/authentication/required-actions', {
    summary: 'What people can be asked to do when they sign in',
    params: OfRealm,
    reply: z.object({ data: z.array(RequiredAction) }),
  }),
  securityHeaders: endpoint('GET', headers, { summary: 'Headers of the sign-in pages', reply: SecurityHeaders }),
  securityHeadersOf: endpoint('GET', `${headers}/:realm`, {
    summary: 'Headers of the sign-in pages',
    params: OfRealm,
    reply: SecurityHeaders,
  }),
  setSecurityHeaders: endpoint('PUT', headers, {
    summary: 'Set the headers of the sign-in pages',
    body: SecurityHeadersInput,
    reply: SecurityHeaders,
  }),
  setSecurityHeadersOf: endpoint('PUT', `${headers}/:realm`, {
    summary: 'Set the headers of the sign-in pages',
    params: OfRealm,
    body: SecurityHeadersInput,
    reply: SecurityHeaders,
  }),
  bruteForceDetection: endpoint('GET', bruteForce, {
    summary: 'Who is locked out after how many wrong passwords',
    reply: BruteForceDetection,
  }),
  bruteForceDetectionOf: endpoint('GET', `${bruteForce}/:realm`, {
    summary: 'Who is locked out after how many wrong passwords',
    params: OfRealm,
    reply: BruteForceDetection,
  }),
  setBruteForceDetection: endpoint('PUT', bruteForce, {
    summary: 'Set who is locked out after how many wrong passwords',
    body: BruteForceDetectionInput,
    reply: BruteForceDetection,
  }),
  setBruteForceDetectionOf: endpoint('PUT', `${bruteForce}/:realm`, {
    summary: 'Set who is locked out after how many wrong passwords',
    params: OfRealm,
    body: BruteForceDetectionInput,
    reply: BruteForceDetection,
  }),
  otpPolicy: endpoint('GET', '/v2/otp', { summary: 'How one-time codes are made', reply: OtpPolicy }),
  setOtpPolicy: endpoint('PUT', '/v2/otp', {
    summary: 'Set how one-time codes of new devices are made',
    body: OtpPolicyInput,
    reply: OtpPolicy,
  }),
}
