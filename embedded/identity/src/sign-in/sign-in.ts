import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from 'oidc-provider'
import { forgiveAttempts } from '../attack-detection/login-attempts.ts'
import { findClient } from '../directory/clients.ts'
import { passwordExpired, passwordOf } from '../directory/credentials.ts'
import { recordEvent } from '../directory/login-events.ts'
import { parsePolicy } from '../directory/password-policy.ts'
import { findUser, setRequiredActions, type User } from '../directory/users.ts'
import { clientAddress } from '../http/client-address.ts'
import { readForm } from '../http/exchange.ts'
import type { RealmHost } from '../oidc/realm-host.ts'
import { errorPage, expiredPage } from '../pages/error-page.ts'
import { formToken, formTokenFits } from '../pages/form-token.ts'
import { html } from '../pages/html.ts'
import { type Page, sendPage } from '../pages/layout.ts'
import { passkeyForm, passkeySetupPage, securityKeyPage, withScript } from '../pages/passkey-pages.ts'
import {
  consentPage,
  type FormContext,
  newPasswordPage,
  otpPage,
  otpSetupPage,
  passwordPage,
  profilePage,
} from '../pages/sign-in-pages.ts'
import { type Ceremony, creationOptions, requestOptions } from '../passkeys/ceremonies.ts'
import { passkeysEnabled } from '../passkeys/policy.ts'
import type { Db } from '../storage/database.ts'
import { checkPassword } from './check-password.ts'
import { newOtpSecret, otpAddress, termsOf } from './otp.ts'
import { checkPasskey, checkSecurityKey, setUpKey } from './passkey-steps.ts'
import { describeRules } from './policy-words.ts'
import { endProgress, findProgress, type Progress, pendingSecret, startProgress, timeNow } from './progress.ts'
import { refusalText } from './refusal-text.ts'
import { fits, nextStage, type Stage } from './stage.ts'
import { changePassword, checkOtp, type StepResult, setUpOtp, updateProfile } from './steps.ts'

type Details = Awaited<ReturnType<RealmHost['provider']['interactionDetails']>>

interface Visit {
  db: Db
  host: RealmHost
  req: IncomingMessage
  res: ServerResponse
  details: Details
  returnOrigin: string | undefined
}

/** Somebody whose password was right, or who has a session, and how far they have come. */
interface Known {
  progress: Progress
  user: User
}

const WRONG = 'Invalid username or password.'

const clientIdOf = (visit: Visit) => String(visit.details.params.client_id ?? '')

const formContext = (visit: Visit, error?: string): FormContext => ({
  realm: visit.host.realm,
  formToken: formToken(visit.host.realm, visit.details.uid),
  returnOrigin: visit.returnOrigin,
  error,
})

const show = (visit: Visit, page: Page, status = 200) => sendPage(visit.req, visit.res, status, page)

/** User of this visit: the one who gave the right password, or whose session asks for an action. */
async function whoIsIt(visit: Visit): Promise<Known | undefined> {
  const { db, host, details } = visit
  let progress = await findProgress(db, details.uid)
  const reasons: string[] = details.prompt.reasons ?? []
  const onlyAction = reasons.length > 0 && reasons.every((reason) => reason === 'required_action')
  const fromSession = onlyAction ? details.session?.accountId : undefined
  if (!progress && fromSession) {
    const since = await timeNow(db)
    const kept = await host.provider.Session.findByUid(details.session?.uid ?? '')
    if (kept?.accountId !== fromSession) return undefined
    const known = { userId: fromSession, otpPassed: true, remember: kept.transient !== true, since }
    await startProgress(db, details.uid, host.realm.id, known)
    progress = await findProgress(db, details.uid)
  }
  const user = progress && (await findUser(db, host.realm.id, progress.user_id))
  return progress && user?.enabled ? { progress, user } : undefined
}

async function requireNewPasswordWhenOld(visit: Visit, user: User): Promise<User> {
  const policy = visit.host.realm.settings.passwordPolicy
  const stored = await passwordOf(visit.db, user.id)
  if (!stored || !passwordExpired(policy, stored, Date.now())) return user
  const required_actions = [...new Set([...user.required_actions, 'UPDATE_PASSWORD'])]
  await setRequiredActions(visit.db, user.id, required_actions)
  return { ...user, required_actions }
}

async function finish(visit: Visit, { user, progress }: Known): Promise<void> {
  const { db, host, details } = visit
  await endProgress(db, details.uid)
  await forgiveAttempts(db, host.realm.id, user.id, clientAddress(visit.req))
  await recordEvent(db, host.realm, {
    type: 'LOGIN',
    clientId: clientIdOf(visit),
    userId: user.id,
    ipAddress: clientAddress(visit.req),
    details: { username: user.username, auth_method: 'openid-connect' },
  })
  const { remember, since, by_passkey } = progress
  const second = [...(user.has_otp ? ['otp'] : []), ...(user.has_key ? ['hwk'] : [])]
  const amr = by_passkey ? ['hwk', 'user'] : ['pwd', ...second]
  const result = { login: { accountId: user.id, acr: '1', amr, remember, ts: Math.floor(since), since } }
  await host.provider.interactionFinished(visit.req, visit.res, result)
}

const ceremonyOf = ({ db, host, details }: Visit): Ceremony => ({
  db,
  realm: host.realm,
  issuer: host.issuer,
  interaction: details.uid,
})

async function showPasswordPage(visit: Visit, username: string, error?: string, status = 200): Promise<void> {
  const ctx = formContext(visit, error)
  if (!passkeysEnabled(visit.host.realm.settings)) return show(visit, passwordPage(ctx, username), status)
  const options = await requestOptions(ceremonyOf(visit))
  const button = html`<button class="quiet">Use a passkey</button>`
  const form = passkeyForm(ctx, { call: 'get', step: 'passkey', options, button })
  show(visit, withScript(passwordPage(ctx, username, form)), status)
}

async function showSecondFactor(visit: Visit, stage: Stage, user: User, error?: string): Promise<void> {
  const ctx = formContext(visit, error)
  if (!user.has_key) return show(visit, otpPage(ctx))
  const options = await requestOptions(ceremonyOf(visit), user)
  if (stage === 'security-key') return show(visit, securityKeyPage(ctx, options))
  const button = html`<button class="quiet">Use a security key instead</button>`
  show(visit, withScript(otpPage(ctx, passkeyForm(ctx, { call: 'get', step: 'security-key', options, button }))))
}

async function showKeySetup(visit: Visit, stage: Stage, user: User, error?: string): Promise<void> {
  const kind = stage === 'webauthn-register' ? 'webauthn' : 'webauthn-passwordless'
  const options = await creationOptions(ceremonyOf(visit), user, kind)
  show(visit, passkeySetupPage(formContext(visit, error), kind, options))
}

async function showStage(visit: Visit, stage: Stage, who: Known | undefined, error?: string): Promise<void> {
  const { db, host, details } = visit
  const ctx = formContext(visit, error)
  const { settings } = host.realm
  if (stage === 'password' || !who) {
    return showPasswordPage(visit, String(details.params.login_hint ?? '').slice(0, 255), error)
  }
  const { user } = who
  if (stage === 'otp' || stage === 'security-key') return showSecondFactor(visit, stage, user, error)
  if (stage === 'webauthn-register' || stage === 'webauthn-register-passwordless')
    return showKeySetup(visit, stage, user, error)
  if (stage === 'UPDATE_PASSWORD') {
    return show(visit, newPasswordPage(ctx, user.username, describeRules(parsePolicy(settings.passwordPolicy))))
  }
  if (stage === 'CONFIGURE_TOTP') {
    const secret = await pendingSecret(db, details.uid, newOtpSecret())
    const terms = termsOf(settings)
    const uri = otpAddress(secret, terms, settings.displayName ?? host.realm.name, user.username)
    return show(
      visit,
      otpSetupPage(ctx, {
        secret,
        uri,
        type: terms.subType,
        algorithm: terms.algorithm,
        digits: terms.digits,
        period: terms.period,
      }),
    )
  }
  if (stage === 'UPDATE_PROFILE') {
    const { email, first_name, last_name } = user
    const username = settings.editUsernameAllowed ? user.username : undefined
    const names = { username, email: email ?? '', firstName: first_name ?? '', lastName: last_name ?? '' }
    return show(visit, profilePage(ctx, names))
  }
  await finish(visit, who)
}

function stageOf(who: Known | undefined): Stage {
  return nextStage({
    known: who !== undefined,
    hasOtp: who?.user.has_otp ?? false,
    hasKey: who?.user.has_key ?? false,
    otpPassed: who?.progress.otp_passed ?? false,
    requiredActions: who?.user.required_actions ?? [],
  })
}

async function takePassword(visit: Visit, form: URLSearchParams): Promise<void> {
  const { db, host, details } = visit
  const username = form.get('username') ?? ''
  const attempt = {
    username,
    password: form.get('password') ?? '',
    ip: clientAddress(visit.req),
    clientId: clientIdOf(visit),
  }
  const since = await timeNow(db)
  const verdict = await checkPassword(db, host.realm, attempt)
  if ('problem' in verdict) {
    const isRefused = verdict.problem === 'refused'
    if (isRefused && verdict.refusal.waitSeconds !== undefined)
      visit.res.setHeader('retry-after', String(verdict.refusal.waitSeconds))
    const said = isRefused ? refusalText(verdict.refusal) : WRONG
    return showPasswordPage(visit, username.slice(0, 255), said, isRefused ? 429 : 200)
  }
  await requireNewPasswordWhenOld(visit, verdict.user)
  const remember = host.realm.settings.rememberMe && form.get('remember') === 'on'
  await startProgress(db, details.uid, host.realm.id, { userId: verdict.user.id, otpPassed: false, remember, since })
  const who = await whoIsIt(visit)
  await showStage(visit, stageOf(who), who)
}

/** Somebody whose passkey says who they are, with no name and no password typed. */
async function takePasskey(visit: Visit, form: URLSearchParams): Promise<void> {
  const { db, host, details } = visit
  const since = await timeNow(db)
  const verdict = await checkPasskey(ceremonyOf(visit), form, clientAddress(visit.req))
  if (!passkeysEnabled(host.realm.settings) || 'problem' in verdict)
    return showPasswordPage(visit, '', 'problem' in verdict ? verdict.problem : WRONG)
  const remember = host.realm.settings.rememberMe && form.get('remember') === 'on'
  // A device that knew its owner by a code, a finger or a face was both factors at once.
  const start = { userId: verdict.user.id, otpPassed: verdict.userVerified, remember, byPasskey: true, since }
  await startProgress(db, details.uid, host.realm.id, start)
  const who = await whoIsIt(visit)
  await showStage(visit, stageOf(who), who)
}

const steps: Readonly<Record<string, (ctx: Parameters<typeof checkOtp>[0]) => StepResult>> = {
  otp: checkOtp,
  'new-password': changePassword,
  'otp-setup': setUpOtp,
  profile: updateProfile,
  'security-key': checkSecurityKey,
  'set-up-webauthn': setUpKey('webauthn'),
  'set-up-webauthn-passwordless': setUpKey('webauthn-passwordless'),
}

async function takeForm(visit: Visit, form: URLSearchParams): Promise<void> {
  const step = form.get('step')
  const who = await whoIsIt(visit)
  const stage = stageOf(who)
  const act = steps[step ?? '']
  // The same page in two windows: whatever is not due any more just shows what is.
  if (!fits(stage, step)) return showStage(visit, stage, who)
  if (step === 'passkey') return takePasskey(visit, form)
  if (!who || !act) return takePassword(visit, form)
  const ip = clientAddress(visit.req)
  const error = await act({ ...ceremonyOf(visit), form, ip, ...who })
  if (error !== undefined) return showStage(visit, stage, who, error)
  const now = await whoIsIt(visit)
  await showStage(visit, stageOf(now), now)
}

async function consent(visit: Visit, form: URLSearchParams | undefined): Promise<void> {
  const { db, host, details } = visit
  const client = await findClient(db, host.realm.id, clientIdOf(visit))
  const accountId = details.session?.accountId
  if (!client || !accountId) return show(visit, expiredPage(host.realm, host.issuer), 400)
  const scopes = String(details.params.scope ?? 'openid')
    .split(' ')
    .filter(Boolean)
  if (form?.get('step') === 'refuse') {
    const refusal = { error: 'access_denied', error_description: 'User denied consent' }
    return host.provider.interactionFinished(visit.req, visit.res, refusal)
  }
  if (form?.get('step') !== 'consent') {
    return show(visit, consentPage(formContext(visit), client.settings.name ?? client.client_id, scopes))
  }
  await db.run(
    `insert into consent (user_id, client, scopes) values ($1, $2, $3)
     on conflict (user_id, client) do update set updated_at = now(),
       scopes = (select array_agg(distinct s) from unnest(consent.scopes || excluded.scopes) s)`,
    [accountId, client.id, scopes],
  )
  await host.provider.interactionFinished(visit.req, visit.res, { consent: {} }, { mergeWithLastSubmission: true })
}

function ownForm(visit: Visit, form: URLSearchParams): boolean {
  const { origin } = visit.req.headers
  if (origin !== undefined && origin !== new URL(visit.host.issuer).origin) return false
  return formTokenFits(visit.host.realm, visit.details.uid, form.get('form_token'))
}

/** The pages between an application's request to sign in and its answer. */
export async function signIn(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  let details: Details
  try {
    details = await host.provider.interactionDetails(req, res)
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return sendPage(req, res, 400, expiredPage(host.realm, host.issuer))
    throw error
  }
  const returnOrigin = URL.parse(String(details.params.redirect_uri ?? ''))?.origin
  const visit: Visit = { db, host, req, res, details, returnOrigin }
  const form = req.method === 'POST' ? await readForm(req) : undefined
  if (form && !ownForm(visit, form)) {
    return show(
      visit,
      errorPage(host.realm, 'This form was not sent from the sign-in page. Go back and try again.', host.issuer),
      403,
    )
  }
  if (details.prompt.name === 'consent') return consent(visit, form)
  if (form) return takeForm(visit, form)
  const who = await whoIsIt(visit)
  await showStage(visit, stageOf(who), who)
}
