import { mailLink, makeLink, noteRead } from '../action-tokens/action-tokens.ts'
import { findClient } from '../directory/clients.ts'
import { requireUser, type User } from '../directory/users.ts'
import { badRequest, conflict, Problem } from '../http/problem.ts'
import { deliver, reasonOf } from '../mail/deliver.ts'
import { keepMailPassword } from '../mail/mail-password.ts'
import { isAddress, mailServerOf, readMailServer } from '../mail/mail-server.ts'
import { adminMailsLately, countMails, listMails, readMail, sendAgain } from '../mail/mail-store.ts'
import { redirectAllowed } from '../oidc/redirect-uris.ts'
import { isRequiredAction } from '../sign-in/required-actions.ts'
import { requireNotAbove } from './caller.ts'
import {
  bodyObject,
  type Call,
  done,
  numberParam,
  ok,
  paging,
  param,
  type Reply,
  type Route,
  realmManage,
  textParam,
  usersManage,
} from './route.ts'

const longestLifespan = 30 * 86_400

async function recipient(call: Call): Promise<User> {
  const user = await requireUser(call.db, call.realm.id, param(call, 'id'))
  await requireNotAbove(call.db, call.caller, user.id)
  if (user.service_client !== null) throw badRequest('User is the service account of a client')
  if (!user.enabled) throw badRequest('User is disabled')
  return user
}

function lifespanOf({ query, realm }: Call): number {
  const wanted = numberParam(query, 'lifespan')
  if (wanted === undefined) return realm.settings.actionTokenGeneratedByAdminLifespan
  if (wanted < 1 || wanted > longestLifespan)
    throw badRequest(`lifespan must be a whole number of seconds from 1 to ${longestLifespan}`)
  return wanted
}

/** The client that the person is sent back to, and the address of it, which has to be one of the client's. */
async function wayBack({ db, realm, query, issuer }: Call) {
  const [clientId, returnTo] = [textParam(query, 'client_id'), textParam(query, 'redirect_uri')]
  if (returnTo !== undefined && clientId === undefined) throw badRequest('Client id missing')
  if (clientId === undefined) return {}
  const client = await findClient(db, realm.id, clientId)
  if (!client) throw badRequest("Client doesn't exist")
  if (!client.settings.enabled) throw badRequest('Client is not enabled')
  if (returnTo !== undefined && !redirectAllowed(returnTo, client.settings.redirectUris, new URL(issuer).origin))
    throw badRequest('Invalid redirect uri.')
  return { clientId, returnTo }
}

function readActions(body: unknown): string[] {
  const actions = body ?? []
  if (!Array.isArray(actions) || !actions.every(isRequiredAction)) throw badRequest('Provided invalid required actions')
  return [...new Set(actions)]
}

/** Mails that administrators send in an hour: nobody's mailbox is filled, and no realm becomes a source of unwanted mail. */
const mostToPerson = 20
const mostToAll = 1000

async function mustNotBeTooMany({ db, realm }: Call, userId: string): Promise<void> {
  const { toPerson, toAll } = await adminMailsLately(db, realm.id, userId)
  if (toPerson >= mostToPerson)
    throw new Problem(429, {
      errorMessage: `${mostToPerson} mails were sent to this person within the hour. Try later.`,
    })
  if (toAll >= mostToAll)
    throw new Problem(429, { errorMessage: `${mostToAll} mails were sent within the hour. Try later.` })
}

const sending =
  (kind: 'execute-actions' | 'verify-email', actionsOf: (call: Call) => readonly string[]) =>
  async (call: Call): Promise<Reply> => {
    const user = await recipient(call)
    if (user.email === null) throw badRequest('User email missing')
    const { db, realm, issuer } = call
    const [actions, way, lifespan] = [actionsOf(call), await wayBack(call), lifespanOf(call)]
    if (kind === 'execute-actions') await mustNotBeTooMany(call, user.id)
    await mailLink(db, { realm, issuer, userId: user.id, kind, actions, email: user.email, ...way, lifespan })
    return done
  }

/** A link to hand over, where no mail reaches the person. It proves no address. */
async function makeActionLink(call: Call): Promise<Reply> {
  const user = await recipient(call)
  const { db, realm, issuer } = call
  const [actions, way, lifespan] = [readActions(call.body), await wayBack(call), lifespanOf(call)]
  const wanted = {
    realm,
    issuer,
    userId: user.id,
    kind: 'execute-actions',
    actions,
    ...way,
    lifespan,
    isRead: true,
  } as const
  const { link, expiresAt } = await makeLink(db, wanted)
  return ok({ link, expires: expiresAt.getTime() })
}

/** Sends a mail with settings that need not be kept yet; to `to` where the caller has no address, as scripts have none. */
async function testConnection(call: Call): Promise<Reply> {
  const { to, ...sent } = bodyObject(call)
  const { smtpServer } = keepMailPassword({ smtpServer: sent }, call.realm.settings)
  const server = readMailServer(smtpServer)
  if (!server) throw badRequest('smtpServer.host is missing')
  const address = to ?? (await callersAddress(call))
  if (typeof address !== 'string' || !isAddress(address))
    throw badRequest('Logged in user does not have an e-mail: name the address that the mail goes to in `to`')
  const text = 'This is a test. Mail from this identity server arrives.'
  try {
    await deliver(
      server,
      { to: address, subject: 'Test of the e-mail settings', text, html: `<p>${text}</p>` },
      call.allowedAddresses,
    )
  } catch (error) {
    throw new Problem(500, { errorMessage: `Failed to send email: ${reasonOf(error)}` })
  }
  return done
}

async function callersAddress({ db, caller }: Call): Promise<string | undefined> {
  const row = await db.row<{ email: string | null }>('select email from user_account where id = $1', [caller.userId])
  return row?.email ?? undefined
}

const mailQuery = ({ query }: Call) => ({ search: textParam(query, 'search'), status: textParam(query, 'status') })

async function resend(call: Call): Promise<Reply> {
  if (!mailServerOf(call.realm.settings)) throw badRequest('smtpServer.host is missing: there is no mail server')
  if (!(await sendAgain(call.db, call.realm.id, param(call, 'id'))))
    throw conflict('This mail was sent, is being sent, or its link has ended')
  return done
}

/** Mail with links, and the outbox, which Keycloak does not have. */
export const mailRoutes: readonly Route[] = [
  {
    method: 'PUT',
    path: '/users/:id/execute-actions-email',
    needs: usersManage,
    answer: sending('execute-actions', ({ body }) => readActions(body)),
  },
  // Keycloak keeps this one for scripts of old.
  {
    method: 'PUT',
    path: '/users/:id/reset-password-email',
    needs: usersManage,
    answer: sending('execute-actions', () => ['UPDATE_PASSWORD']),
  },
  {
    method: 'PUT',
    path: '/users/:id/send-verify-email',
    needs: usersManage,
    answer: sending('verify-email', () => []),
  },
  { method: 'POST', path: '/users/:id/action-link', needs: usersManage, answer: makeActionLink },
  { method: 'POST', path: '/testSMTPConnection', needs: realmManage, answer: testConnection },
  {
    method: 'GET',
    path: '/outbox',
    needs: usersManage,
    answer: async (c) => ok(await listMails(c.db, c.realm.id, { ...mailQuery(c), ...paging(c, 100) })),
  },
  {
    method: 'GET',
    path: '/outbox/count',
    needs: usersManage,
    answer: async (c) => ok(await countMails(c.db, c.realm.id, mailQuery(c))),
  },
  { method: 'GET', path: '/outbox/:id', needs: usersManage, answer: readOne },
  { method: 'POST', path: '/outbox/:id/send', needs: usersManage, answer: resend },
]

/** The text leads into the account of the person: it is for who may change them. */
async function readOne(call: Call): Promise<Reply> {
  const mail = await readMail(call.db, call.realm.id, param(call, 'id'))
  await requireNotAbove(call.db, call.caller, String(mail.userId))
  if (typeof mail.link === 'string') await noteRead(call.db, String(mail.userId), mail.link)
  return ok(mail)
}
