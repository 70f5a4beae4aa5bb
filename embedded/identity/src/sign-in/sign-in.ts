import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from 'oidc-provider'
import { forgiveAttempts, type Refusal } from '../attack-detection/login-attempts.ts'
import { countRequest } from '../attack-detection/request-limits.ts'
import { passwordExpired, passwordOf } from '../directory/credentials.ts'
import { recordEvent } from '../directory/login-events.ts'
import { parsePolicy } from '../directory/password-policy.ts'
import { findUser, requireAction, type User } from '../directory/users.ts'
import { clientAddress } from '../http/client-address.ts'
import { readForm, sendEmpty } from '../http/exchange.ts'
import { mailServerOf } from '../mail/mail-server.ts'
import { addResetRequest } from '../mail/reset-requests.ts'
import type { RealmHost } from '../oidc/realm-host.ts'
import { errorPage, expiredPage } from '../pages/error-page.ts'
import { formTokenFits } from '../pages/form-token.ts'
import { type Page, sendPage } from '../pages/layout.ts'
import { forgotPasswordPage, registrationPage, resetAskedPage } from '../pages/self-service-pages.ts'
import { linkPage } from '../pages/sign-in-pages.ts'
import type { Ceremony } from '../passkeys/ceremonies.ts'
import { passkeysEnabled } from '../passkeys/policy.ts'
import type { Db } from '../storage/database.ts'
import {
  type Asking,
  askedFor,
  comeWithoutAddress,
  forgetPending,
  linkByPassword,
  type Outcome,
  offeredProviders,
  sendToProvider,
  settle,
  takeAnswer,
} from './by-provider.ts'
import { checkPassword } from './check-password.ts'
import { consent } from './consent.ts'
import { signInPage } from './key-pages.ts'
import { checkPasskey } from './passkey-steps.ts'
import { describeRules } from './policy-words.ts'
import { endProgress, findProgress, type Progress, startProgress, timeNow } from './progress.ts'
import { refusalText, requestRefusalText } from './refusal-text.ts'
import { register, typedRegistration } from './registration.ts'
import { dueActions } from './required-actions.ts'
import { fits, nextStage, type Stage } from './stage.ts'
import { pageOfStage } from './stage-page.ts'
import { steps } from './steps.ts'
import { clientIdOf, type Details, formContext, show, type Visit } from './visit.ts'

/** Somebody whose password was right, or who has a session, and how far they have come. */
interface Known {
  progress: Progress
  user: User
}

const WRONG = 'Invalid username or password.'

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
    const known = {
      userId: fromSession,
      otpPassed: true,
      remember: kept.transient !== true,
      amr: kept.amr ?? [],
      since,
    }
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
  await requireAction(visit.db, user.id, 'UPDATE_PASSWORD')
  return { ...user, required_actions: [...new Set([...user.required_actions, 'UPDATE_PASSWORD'])] }
}

/** Links and maps what somebody has brought, which may lead to another question. Gives whether the sign-in is finished. */
async function isSettled(visit: Visit, user: User, alias: string): Promise<boolean> {
  const { db, details } = visit
  const problem = await settle(towards(visit), user, alias)
  if (problem !== undefined) {
    await endProgress(db, details.uid)
    await show(visit, await doorPage(visit, problem))
    return false
  }
  const now = await whoIsIt(visit)
  const stage = stageOf(visit, now)
  if (stage === 'done') {
    await forgetPending(towards(visit))
    return true
  }
  await showStage(visit, stage, now)
  return false
}

async function finish(visit: Visit, { user, progress }: Known): Promise<void> {
  const { db, host, details } = visit
  if (progress.provider !== null && !(await isSettled(visit, user, progress.provider))) return
  await endProgress(db, details.uid)
  // A sign-in elsewhere says nothing about who tries passwords here.
  if (progress.provider === null) await forgiveAttempts(db, host.realm.id, user.id, clientAddress(visit.req))
  await recordEvent(db, host.realm, {
    type: 'LOGIN',
    clientId: clientIdOf(visit),
    userId: user.id,
    ipAddress: clientAddress(visit.req),
    details: {
      ...{ username: user.username, auth_method: 'openid-connect' },
      ...(progress.provider === null ? {} : { identity_provider: progress.provider }),
    },
  })
  const { remember, since, amr } = progress
  const result = { login: { accountId: user.id, acr: '1', amr, remember, ts: Math.floor(since), since } }
  await host.provider.interactionFinished(visit.req, visit.res, result)
}

const ceremonyOf = ({ db, host, details }: Visit): Ceremony => ({
  db,
  realm: host.realm,
  issuer: host.issuer,
  interaction: details.uid,
})

/** The page before anybody is known; `?page=` names one beside the password. */
async function doorPage(visit: Visit, error?: string): Promise<Page> {
  const { host, details, req } = visit
  const ctx = formContext(visit, error)
  const { settings } = host.realm
  const wanted = new URL(req.url ?? '', host.issuer).searchParams.get('page')
  const hint = String(details.params.login_hint ?? '').slice(0, 255)
  if (wanted === 'reset' && settings.resetPasswordAllowed) return forgotPasswordPage(ctx, hint)
  if (wanted === 'register' && settings.registrationAllowed)
    return registrationPage(
      ctx,
      { username: '', email: '', firstName: '', lastName: '' },
      describeRules(parsePolicy(settings.passwordPolicy)),
    )
  return signInPage(ceremonyOf(visit), ctx, hint)
}

interface Said {
  error?: string | undefined
  said?: string | undefined
}

async function showStage(
  visit: Visit,
  stage: Stage,
  who: Known | undefined,
  { error, said }: Said = {},
): Promise<void> {
  const { db, host, details } = visit
  if (stage === 'password' || !who) return show(visit, await doorPage(visit, error))
  const { realm, issuer } = host
  const form = formContext(visit, error)
  const page = await pageOfStage(stage, { db, realm, issuer, way: details.uid, ...who, form, said })
  return page ? show(visit, page) : finish(visit, who)
}

function stageOf({ host }: Visit, who: Known | undefined): Stage {
  return nextStage({
    known: who !== undefined,
    hasOtp: who?.user.has_otp ?? false,
    hasKey: who?.user.has_key ?? false,
    otpPassed: who?.progress.otp_passed ?? false,
    requiredActions: who ? dueActions(host.realm, who.user) : [],
  })
}

function noteWait({ res }: Visit, { waitSeconds }: Refusal): void {
  if (waitSeconds !== undefined) res.setHeader('retry-after', String(waitSeconds))
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
    if (isRefused) noteWait(visit, verdict.refusal)
    const said = isRefused ? refusalText(verdict.refusal) : WRONG
    const page = await signInPage(ceremonyOf(visit), formContext(visit, said), username.slice(0, 255))
    return show(visit, page, isRefused ? 429 : 200)
  }
  await requireNewPasswordWhenOld(visit, verdict.user)
  const remember = host.realm.settings.rememberMe && form.get('remember') === 'on'
  await startProgress(db, details.uid, host.realm.id, {
    userId: verdict.user.id,
    otpPassed: false,
    remember,
    amr: ['pwd'],
    since,
  })
  const who = await whoIsIt(visit)
  await showStage(visit, stageOf(visit, who), who)
}

/** Somebody whose passkey says who they are, with no name and no password typed. */
async function takePasskey(visit: Visit, form: URLSearchParams): Promise<void> {
  const { db, host, details } = visit
  const since = await timeNow(db)
  if (!passkeysEnabled(host.realm.settings)) return showStage(visit, 'password', undefined, { error: WRONG })
  const verdict = await checkPasskey(ceremonyOf(visit), form, clientAddress(visit.req))
  if ('problem' in verdict) {
    if (verdict.refusal) noteWait(visit, verdict.refusal)
    return show(visit, await doorPage(visit, verdict.problem), verdict.refusal ? 429 : 200)
  }
  const remember = host.realm.settings.rememberMe && form.get('remember') === 'on'
  // A device that knew its owner by a code, a finger or a face was both factors at once.
  const amr = ['hwk', 'user', ...(verdict.userVerified ? ['mfa'] : [])]
  const start = { userId: verdict.user.id, otpPassed: verdict.userVerified, remember, amr, since }
  await startProgress(db, details.uid, host.realm.id, start)
  const who = await whoIsIt(visit)
  await showStage(visit, stageOf(visit, who), who)
}

/** Takes a wish for a new password: the same answer, after the same work, whoever is meant. */
async function takeReset(visit: Visit, form: URLSearchParams): Promise<void> {
  const { db, host } = visit
  const { realm } = host
  const raw = form.get('username') ?? ''
  const typed = (raw.includes('\0') ? '' : raw).trim().toLowerCase().slice(0, 255)
  const ip = clientAddress(visit.req)
  if (typed === '') return show(visit, forgotPasswordPage(formContext(visit, 'Please say who you are.'), ''))
  const refusal = await countRequest(db, { realmId: realm.id, what: 'reset', name: typed, ip })
  if (refusal) {
    visit.res.setHeader('retry-after', String(refusal.waitSeconds ?? 1))
    return show(visit, forgotPasswordPage(formContext(visit, requestRefusalText(refusal)), raw.slice(0, 255)), 429)
  }
  await addResetRequest(db, { realmId: realm.id, typed, clientId: clientIdOf(visit), ip })
  await show(visit, resetAskedPage(formContext(visit), mailServerOf(realm.settings) !== undefined))
}

async function takeRegistration(visit: Visit, form: URLSearchParams): Promise<void> {
  const { db, host, details } = visit
  const since = await timeNow(db)
  const found = await register({
    db,
    realm: host.realm,
    form,
    ip: clientAddress(visit.req),
    clientId: clientIdOf(visit),
  })
  if (typeof found === 'string') {
    const rules = describeRules(parsePolicy(host.realm.settings.passwordPolicy))
    return show(visit, registrationPage(formContext(visit, found), typedRegistration(form), rules))
  }
  await startProgress(db, details.uid, host.realm.id, {
    userId: found.id,
    otpPassed: false,
    remember: false,
    amr: ['pwd'],
    since,
  })
  const who = await whoIsIt(visit)
  await showStage(visit, stageOf(visit, who), who)
}

/** The visit as the ways by identity providers need it. */
const towards = (visit: Visit) => ({
  ...{ db: visit.db, host: visit.host, interaction: visit.details.uid, ip: clientAddress(visit.req) },
  clientId: clientIdOf(visit),
})

const linkPageOf = (visit: Visit, { ask, name, ownerIsUnproven }: Asking, problem?: string) =>
  linkPage(formContext(visit, problem), { username: ask.username, provider: name, ownerIsUnproven })

/** Goes on with whom a provider has sent, asks for the password of their account here, or says what is wrong. */
async function showOutcome(visit: Visit, outcome: Outcome, since: number): Promise<void> {
  const { db, host, details } = visit
  if ('problem' in outcome) return show(visit, await doorPage(visit, outcome.problem))
  if ('ask' in outcome) return show(visit, linkPageOf(visit, outcome))
  const { user, alias } = outcome
  const known = { userId: user.id, otpPassed: false, remember: false, amr: ['fed'], provider: alias, since }
  await startProgress(db, details.uid, host.realm.id, known)
  const who = await whoIsIt(visit)
  await showStage(visit, stageOf(visit, who), who)
}

async function takeLink(visit: Visit, form: URLSearchParams): Promise<void> {
  const since = await timeNow(visit.db)
  if (form.get('not') !== null) {
    await forgetPending(towards(visit))
    return show(visit, await doorPage(visit))
  }
  if (form.get('new') !== null) return showOutcome(visit, await comeWithoutAddress(towards(visit)), since)
  const outcome = await linkByPassword(towards(visit), form.get('password') ?? '')
  const asked = 'problem' in outcome ? await askedFor(towards(visit)) : undefined
  if (!asked || !('problem' in outcome)) return showOutcome(visit, outcome, since)
  show(visit, linkPageOf(visit, asked, outcome.problem))
}

async function leaveForProvider(visit: Visit, alias: string): Promise<void> {
  const address = await sendToProvider(towards(visit), alias)
  const gone = 'This identity provider cannot be used any more.'
  if (address === undefined) return show(visit, await doorPage(visit, gone))
  sendEmpty(visit.res, 303, { location: address })
}

async function takeForm(visit: Visit, form: URLSearchParams): Promise<void> {
  const { host } = visit
  const step = form.get('step')
  const who = await whoIsIt(visit)
  const stage = stageOf(visit, who)
  const { resetPasswordAllowed, registrationAllowed } = host.realm.settings
  if (stage === 'password' && step === 'reset' && resetPasswordAllowed) return takeReset(visit, form)
  if (stage === 'password' && step === 'register' && registrationAllowed) return takeRegistration(visit, form)
  if (stage === 'password' && step === 'link') return takeLink(visit, form)
  const act = steps[step ?? '']
  // The same page in two windows: whatever is not due any more just shows what is.
  if (!fits(stage, step)) return showStage(visit, stage, who)
  if (step === 'passkey') return takePasskey(visit, form)
  if (!who || !act) return takePassword(visit, form)
  const ip = clientAddress(visit.req)
  const error = await act({ ...ceremonyOf(visit), form, ip, ...who })
  if (error !== undefined) return showStage(visit, stage, who, { error })
  const now = await whoIsIt(visit)
  const said = form.get('again') === 'yes' ? 'Another mail is on its way.' : undefined
  await showStage(visit, stageOf(visit, now), now, { said })
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
  const offers = await offeredProviders(db, host.realm.id)
  const visit: Visit = { db, host, req, res, details, returnOrigin, offers }
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
  const { searchParams } = new URL(req.url ?? '', host.issuer)
  const isAtDoor = stageOf(visit, who) === 'password'
  const chosen = searchParams.get('provider')
  if (isAtDoor && chosen !== null) return leaveForProvider(visit, chosen)
  if (isAtDoor && searchParams.get('from_provider') === '1') {
    const since = await timeNow(db)
    return showOutcome(visit, await takeAnswer(towards(visit), searchParams), since)
  }
  await showStage(visit, stageOf(visit, who), who)
}
