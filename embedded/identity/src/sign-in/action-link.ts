import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  ACTION_TOKEN_PATH,
  type ActionToken,
  findToken,
  leadsToMore,
  rolesNow,
  takeToken,
} from '../action-tokens/action-tokens.ts'
import { recordEvent } from '../directory/login-events.ts'
import { confirmEmail, findUser, type User, updateUser } from '../directory/users.ts'
import { clientAddress } from '../http/client-address.ts'
import { readForm } from '../http/exchange.ts'
import { Problem } from '../http/problem.ts'
import { describeActions } from '../mail/letters.ts'
import type { RealmHost } from '../oidc/realm-host.ts'
import { errorPage, portalAddress } from '../pages/error-page.ts'
import { formToken, formTokenFits } from '../pages/form-token.ts'
import { sendPage } from '../pages/layout.ts'
import { actionLinkPage, actionsDonePage, usedLinkPage } from '../pages/self-service-pages.ts'
import type { Db } from '../storage/database.ts'
import { digestOf } from '../storage/encryption.ts'
import { endProgress, findProgress, type Progress, startProgress, timeNow } from './progress.ts'
import { fits, nextStage, type Stage } from './stage.ts'
import { pageOfStage } from './stage-page.ts'
import { steps } from './steps.ts'

const LINK_STEPS_PATH = '/login-actions/required-action'

interface Visit {
  db: Db
  host: RealmHost
  req: IncomingMessage
  res: ServerResponse
}

interface Known {
  /** The way of this person through the pages, which their cookie names. */
  way: string
  user: User
  progress: Progress & { actions: string[] }
}

const purposeOf = (key: string) => `action:${digestOf(key)}`
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function headingOf({ kind, actions }: ActionToken): string {
  if (kind === 'verify-email' || kind === 'update-email') return 'Confirm your e-mail address'
  return sentence(describeActions(actions))
}

const cookieName = (host: RealmHost) => `${host.issuer.startsWith('https:') ? '__Secure-' : ''}IDENTITY_ACTION`

function cookieLine(host: RealmHost, way: string, seconds: number): string {
  const path = `${new URL(host.issuer).pathname}${LINK_STEPS_PATH}`
  const secure = host.issuer.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(host)}=${way}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

const cookieOf = ({ host, req }: Visit): string | undefined =>
  new RegExp(`(?:^|;\\s*)${cookieName(host)}=([\\w-]{43})(?:;|$)`).exec(req.headers.cookie ?? '')?.[1]

const notOurs = (visit: Visit) => {
  const { origin } = visit.req.headers
  return origin !== undefined && origin !== new URL(visit.host.issuer).origin
}

function refuseForm({ host, req, res }: Visit): void {
  const words = 'This form was not sent from the page of the link. Open the link again.'
  sendPage(req, res, 403, errorPage(host.realm, words, host.issuer))
}

/** The link was mailed to an address and is opened: the address is the person's. */
async function proveAddress(visit: Visit, db: Db, token: ActionToken): Promise<void> {
  const { realm } = visit.host
  const { email, user_id: userId, kind } = token
  if (email === null) return
  const event = { userId, ipAddress: clientAddress(visit.req), details: { email } }
  if (kind === 'update-email') {
    await updateUser(db, realm, userId, { email })
    await confirmEmail(db, userId, email)
    return recordEvent(db, realm, { type: 'UPDATE_EMAIL', ...event })
  }
  await confirmEmail(db, userId, email)
  await recordEvent(db, realm, { type: 'VERIFY_EMAIL', ...event })
}

/** Uses the link up and begins what it is for. */
async function open(visit: Visit, key: string): Promise<void> {
  const { db, host, req, res } = visit
  const { realm } = host
  const token = await db.transaction(async (tx) => {
    const taken = await takeToken(tx, realm.id, key)
    if (taken) await proveAddress(visit, tx, taken)
    return taken
  })
  if (!token) return sendPage(req, res, 400, usedLinkPage(realm, host.issuer))
  const actions = token.actions.filter((action) => action !== 'VERIFY_EMAIL' || token.email === null)
  if (actions.length === 0) {
    const text = token.email === null ? 'Nothing was left to do.' : 'Your e-mail address is confirmed.'
    return sendPage(req, res, 200, actionsDonePage(realm, token.return_to ?? portalAddress(host.issuer), text))
  }
  const way = randomBytes(32).toString('base64url')
  const start = { userId: token.user_id, otpPassed: false, remember: false, amr: [], since: await timeNow(db) }
  await startProgress(db, way, realm.id, {
    ...{ ...start, actions, returnTo: token.return_to },
    // The address may have changed since; the steps end when the person is given more roles, like an unopened link.
    rolesWhenRead: token.roles_when_read ?? (await rolesNow(db, token.user_id)),
  })
  res.setHeader('set-cookie', cookieLine(host, way, realm.settings.accessCodeLifespanLogin))
  res.writeHead(303, { location: `${host.issuer}${LINK_STEPS_PATH}`, 'cache-control': 'no-store' }).end()
}

/** Page of a link: it says what for and for whom, and a button begins. */
async function actionLink(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const visit: Visit = { db, host, req, res }
  const { realm } = host
  if (req.method === 'POST') {
    const form = await readForm(req)
    const key = form.get('key') ?? ''
    if (notOurs(visit) || !formTokenFits(realm, purposeOf(key), form.get('form_token'))) return refuseForm(visit)
    try {
      return await open(visit, key)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return sendPage(req, res, 409, errorPage(realm, `${error.message}.`, host.issuer))
    }
  }
  const key = new URL(req.url ?? '', host.issuer).searchParams.get('key') ?? ''
  const token = await findToken(db, realm.id, key)
  const user = token && (await findUser(db, realm.id, token.user_id))
  if (!token || !user) return sendPage(req, res, 400, usedLinkPage(realm, host.issuer))
  const shown = { heading: headingOf(token), username: user.username, key, formToken: formToken(realm, purposeOf(key)) }
  sendPage(req, res, 200, actionLinkPage(realm, shown))
}

async function whoIsIt(visit: Visit): Promise<Known | undefined> {
  const { db, host } = visit
  const way = cookieOf(visit)
  const progress = way && (await findProgress(db, way))
  if (!way || !progress || progress.actions === null) return undefined
  if (await leadsToMore(db, progress)) return undefined
  if (progress.since + host.realm.settings.accessCodeLifespanLogin < (await timeNow(db))) return undefined
  const user = await findUser(db, host.realm.id, progress.user_id)
  return user?.enabled ? { way, user, progress: { ...progress, actions: progress.actions } } : undefined
}

function stageOf({ user, progress }: Known): Stage {
  const canVerify = user.email !== null && !user.email_verified
  return nextStage({
    ...{ known: true, hasOtp: user.has_otp, hasKey: user.has_key, otpPassed: progress.otp_passed },
    requiredActions: progress.actions.filter((action) => action !== 'VERIFY_EMAIL' || canVerify),
  })
}

async function showStage(visit: Visit, who: Known, { error, said }: { error?: string; said?: string } = {}) {
  const { db, host, req, res } = visit
  const { realm, issuer } = host
  const form = { realm, formToken: formToken(realm, purposeOf(who.way)), ...(error === undefined ? {} : { error }) }
  const page = await pageOfStage(stageOf(who), { db, realm, issuer, ...who, form, ...(said ? { said } : {}) })
  if (page) return sendPage(req, res, 200, page)
  await endProgress(db, who.way)
  res.setHeader('set-cookie', cookieLine(host, '', 0))
  const address = who.progress.return_to ?? portalAddress(issuer)
  sendPage(req, res, 200, actionsDonePage(realm, address, 'Everything that the link was for is done.'))
}

/** The pages of what a link is for, one after the other. */
async function linkSteps(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const visit: Visit = { db, host, req, res }
  const { realm, issuer } = host
  const form = req.method === 'POST' ? await readForm(req) : undefined
  const who = await whoIsIt(visit)
  if (!who) return sendPage(req, res, 400, usedLinkPage(realm, issuer))
  if (!form) return showStage(visit, who)
  if (notOurs(visit) || !formTokenFits(realm, purposeOf(who.way), form.get('form_token'))) return refuseForm(visit)
  const step = form.get('step')
  const act = steps[step ?? '']
  if (!act || !fits(stageOf(who), step)) return showStage(visit, who)
  const error = await act({ db, realm, issuer, interaction: who.way, form, ip: clientAddress(req), ...who })
  if (error !== undefined) return showStage(visit, who, { error })
  const now = await whoIsIt(visit)
  if (!now) return sendPage(req, res, 400, usedLinkPage(realm, issuer))
  await showStage(visit, now, form.get('again') === 'yes' ? { said: 'Another mail is on its way.' } : {})
}

export const linkPaths = { [ACTION_TOKEN_PATH]: actionLink, [LINK_STEPS_PATH]: linkSteps } as const
