import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js'
import { role } from '@quayside/contract/http/policy'
import type {
  BruteForceDetection,
  LoginSettings,
  OtpPolicy,
  Realm,
  RequiredAction,
  SecurityHeaders,
} from '@quayside/contract/realms/endpoints'
import { hashesOfCodes, lockoutStrategies, typesOfCodes } from '@quayside/contract/realms/names'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import type { MailCalls } from '../../adapters/keycloak/mail.ts'
import { actingFor } from '../../platform/auth/acting-for.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { People } from '../permissions/index.ts'

const editsLogin = role('iam-loginsettings', 'loginsettings.edit')
const field = 'verifyEmail'
const noMailServer = {
  field,
  message: 'Nobody whose address is not confirmed could sign in, because no mail is sent. Set up a mail server first.',
}
const ownAddress = {
  field,
  message:
    'You could not sign in again: no mail is sent, and your own address is not confirmed. Set up a mail server first, or have your address confirmed.',
}

/** How people sign in to the caller's realm, as the identity server keeps and obeys it. */
export function createRealms(keycloak: Keycloak, mails: Pick<MailCalls, 'hasOutbox'>, people: People, log: Logger) {
  async function find({ realm }: Actor): Promise<RealmRepresentation> {
    const found = await keycloak.run((kc) => kc.realms.findOne({ realm }))
    if (!found) throw fail('tenant.not-found')
    return found
  }

  /** Only what is named changes: the identity server keeps what a change leaves out. */
  async function change(actor: Actor, changed: RealmRepresentation): Promise<void> {
    const { realm } = actor
    try {
      await actingFor(actor, () => keycloak.run((kc) => kc.realms.update({ realm }, changed)))
    } catch (error) {
      throw refusalOf(error, changed)
    }
    log.info({ realm, by: actor.userId, settings: Object.keys(changed) }, 'settings of the realm were changed')
  }

  /** Each change is read back, so that the answer is what the identity server has. */
  const part = <T>(read: (realm: RealmRepresentation) => T) => ({
    get: async (actor: Actor): Promise<T> => read(await find(actor)),
    async set(actor: Actor, changed: RealmRepresentation): Promise<T> {
      await change(actor, changed)
      return read(await find(actor))
    },
  })

  const login = part(toLoginSettings)

  /** Without a mail server the links wait in the outbox, which somebody has to be able to sign in and read. */
  async function mustNotShutOut(actor: Actor): Promise<void> {
    const { verifyEmail, smtpServer } = await find(actor)
    if (verifyEmail || smtpServer?.host) return
    if (!(await mails.hasOutbox(actor.realm))) throw fail('iam.setting-refused', noMailServer)
    const self = await keycloak.run((kc) => kc.users.findOne({ realm: actor.realm, id: actor.userId }))
    if (!self?.emailVerified) throw fail('iam.setting-refused', ownAddress)
  }

  return {
    get: async (actor: Actor): Promise<Realm> => toRealm(actor, await find(actor)),
    password: part(({ passwordPolicy }) => ({ passwordPolicy: passwordPolicy ?? '' })),
    login: {
      get: login.get,
      async set(actor: Actor, changed: LoginSettings): Promise<LoginSettings> {
        if (changed.verifyEmail) await mustNotShutOut(actor)
        if (!changed.registrationAllowed || (await find(actor)).registrationAllowed) return login.set(actor, changed)
        // People who register are in the default groups, as are those whom somebody makes.
        return people.change(actor, { right: editsLogin, kind: 'gives' }, async (judged) => {
          await judged.mayGiveDefaultGroups('registrationAllowed')
          return login.set(actor, changed)
        })
      },
    },
    bruteForce: part(toBruteForce),
    otp: part(toOtpPolicy),
    headers: part(toHeaders),

    async requiredActions({ realm }: Actor): Promise<RequiredAction[]> {
      // The types of the published client forget the realm, which the call takes as every other does.
      const named = { realm } as never
      const found = await keycloak.run((kc) => kc.authenticationManagement.getRequiredActions(named))
      return found
        .sort((one, other) => (one.priority ?? 0) - (other.priority ?? 0))
        .map(({ alias, name, enabled, defaultAction }) => ({
          alias: alias ?? '',
          name: name ?? alias ?? '',
          enabled: enabled ?? false,
          defaultAction: defaultAction ?? false,
        }))
    },
  }
}
export type Realms = ReturnType<typeof createRealms>

/** A refused setting in the words of the identity server, which begin with its name where they name it. */
function refusalOf(error: unknown, { browserSecurityHeaders, ...changed }: RealmRepresentation): unknown {
  if (!(error instanceof KeycloakRefused) || error.status !== 400) return error
  const message = error.message.slice(0, 400)
  const names = [...Object.keys(changed), ...Object.keys(browserSecurityHeaders ?? {})]
  const first = /^\w+/.exec(message)?.[0] ?? ''
  const field = names.find((name) => name === first) ?? (names.length === 1 ? names[0] : undefined)
  return fail('iam.setting-refused', { message, field, cause: error })
}

const toRealm = ({ realm }: Actor, { id, displayName, enabled }: RealmRepresentation): Realm => ({
  ...{ id: id ?? '', realm },
  displayName: displayName || realm,
  enabled: enabled ?? false,
})

const toLoginSettings = (realm: RealmRepresentation): LoginSettings => ({
  registrationAllowed: realm.registrationAllowed ?? false,
  registrationEmailAsUsername: realm.registrationEmailAsUsername ?? false,
  editUsernameAllowed: realm.editUsernameAllowed ?? false,
  resetPasswordAllowed: realm.resetPasswordAllowed ?? false,
  rememberMe: realm.rememberMe ?? false,
  verifyEmail: realm.verifyEmail ?? false,
  loginWithEmailAllowed: realm.loginWithEmailAllowed ?? false,
  duplicateEmailsAllowed: realm.duplicateEmailsAllowed ?? false,
  ssoSessionIdleTimeout: realm.ssoSessionIdleTimeout ?? 0,
  ssoSessionMaxLifespan: realm.ssoSessionMaxLifespan ?? 0,
})

/** The word, when it is one of those; else the first of them, which is what a realm has from the start. */
const wordOf = <T extends string>(words: readonly [T, ...T[]], word: unknown): T =>
  words.find((each) => each === word) ?? words[0]

const toBruteForce = (realm: RealmRepresentation & { bruteForceStrategy?: unknown }): BruteForceDetection => ({
  bruteForceProtected: realm.bruteForceProtected ?? false,
  permanentLockout: realm.permanentLockout ?? false,
  maxTemporaryLockouts: realm.maxTemporaryLockouts ?? 0,
  bruteForceStrategy: wordOf(lockoutStrategies, realm.bruteForceStrategy),
  failureFactor: realm.failureFactor ?? 0,
  waitIncrementSeconds: realm.waitIncrementSeconds ?? 0,
  maxFailureWaitSeconds: realm.maxFailureWaitSeconds ?? 0,
  maxDeltaTimeSeconds: realm.maxDeltaTimeSeconds ?? 0,
  quickLoginCheckMilliSeconds: realm.quickLoginCheckMilliSeconds ?? 0,
  minimumQuickLoginWaitSeconds: realm.minimumQuickLoginWaitSeconds ?? 0,
})

function toHeaders({ browserSecurityHeaders = {} }: RealmRepresentation): SecurityHeaders {
  const found = browserSecurityHeaders as Partial<SecurityHeaders>
  return {
    xFrameOptions: found.xFrameOptions ?? '',
    contentSecurityPolicy: found.contentSecurityPolicy ?? '',
    contentSecurityPolicyReportOnly: found.contentSecurityPolicyReportOnly ?? '',
    xContentTypeOptions: found.xContentTypeOptions ?? '',
    xRobotsTag: found.xRobotsTag ?? '',
    referrerPolicy: found.referrerPolicy ?? '',
    strictTransportSecurity: found.strictTransportSecurity ?? '',
  }
}

const toOtpPolicy = (realm: RealmRepresentation & { otpPolicyCodeReusable?: boolean }): OtpPolicy => ({
  otpPolicyType: wordOf(typesOfCodes, realm.otpPolicyType),
  otpPolicyAlgorithm: wordOf(hashesOfCodes, realm.otpPolicyAlgorithm),
  otpPolicyDigits: realm.otpPolicyDigits ?? 6,
  otpPolicyLookAheadWindow: realm.otpPolicyLookAheadWindow ?? 1,
  otpPolicyPeriod: realm.otpPolicyPeriod ?? 30,
  otpPolicyInitialCounter: realm.otpPolicyInitialCounter ?? 0,
  otpPolicyCodeReusable: realm.otpPolicyCodeReusable ?? false,
})
