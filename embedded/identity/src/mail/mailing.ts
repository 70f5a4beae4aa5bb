import { mailLink, ownLifespan } from '../action-tokens/action-tokens.ts'
import { recordEvent } from '../directory/login-events.ts'
import { findRealmById, type Realm } from '../directory/realms.ts'
import { findByLogin } from '../directory/users.ts'
import type { Db } from '../storage/database.ts'
import { deliver, isFinal, reasonOf } from './deliver.ts'
import { mailServerOf } from './mail-server.ts'
import { type Mail, mailsLately, markFailed, markSent, openMail, takeDueMails, tryAgainIn } from './mail-store.ts'
import { dropRequest, type ResetRequest, takeDueRequests } from './reset-requests.ts'

const everyMs = 1000
/** Wishes for a new password that are answered in a round. */
const atOnce = 10
/** Deliveries at a time. A mail server that hangs holds up those of its own realm. */
const mostDeliveries = 64
const perRealm = 4
/** Seconds to wait after each failed try; after the last one the mail is given up. */
const waits = [15, 60, 300, 900, 1800, 3600]
/** Mails for a new password that one person gets in an hour. */
const mostResets = 5

interface Mailing {
  stop(): Promise<void>
}

interface MailingOptions {
  db: Db
  publicUrl: string
  /** `host:port` of mail servers that may be in a private network. */
  allowed: readonly string[]
  report: (error: Error) => void
}

async function send({ db, allowed }: MailingOptions, mail: Mail): Promise<void> {
  const realm = await findRealmById(db, mail.realm_id)
  const server = realm && mailServerOf(realm.settings)
  const content = openMail(db, mail)
  if (!server || !content) return markFailed(db, mail.id, 'There is no mail server any more.')
  if (mail.expires_at.getTime() <= Date.now())
    return markFailed(db, mail.id, `${mail.reason ?? 'It was not sent in time.'} Its link has ended meanwhile.`)
  try {
    await deliver(server, { to: mail.recipient, subject: mail.subject, ...content }, allowed)
  } catch (error) {
    const wait = waits[mail.tries - 1]
    if (isFinal(error) || wait === undefined) return markFailed(db, mail.id, reasonOf(error))
    return tryAgainIn(db, mail.id, wait, reasonOf(error))
  }
  await markSent(db, mail.id)
}

async function mailReset({ db, publicUrl }: MailingOptions, realm: Realm, asked: ResetRequest): Promise<void> {
  const { loginWithEmailAllowed, resetPasswordAllowed } = realm.settings
  const user = await findByLogin(db, realm.id, asked.typed, loginWithEmailAllowed)
  const event = { clientId: asked.client_id ?? undefined, ipAddress: asked.ip_address ?? undefined, userId: user?.id }
  const problem = !user
    ? 'user_not_found'
    : !user.enabled
      ? 'user_disabled'
      : user.email === null || (user.email_typed && !user.email_verified)
        ? 'invalid_email'
        : undefined
  if (!resetPasswordAllowed) return
  if (problem || !user?.email) return recordEvent(db, realm, { type: 'RESET_PASSWORD_ERROR', ...event, error: problem })
  if ((await mailsLately(db, user.id, 'reset-credentials')) >= mostResets) return
  const issuer = `${publicUrl}/realms/${realm.name}`
  await mailLink(db, {
    ...{ realm, issuer, userId: user.id, kind: 'reset-credentials', actions: ['UPDATE_PASSWORD'] },
    ...{ email: user.email, clientId: asked.client_id ?? undefined, lifespan: ownLifespan(realm) },
  })
  await recordEvent(db, realm, { type: 'SEND_RESET_PASSWORD', ...event })
}

async function answer(options: MailingOptions, asked: ResetRequest): Promise<void> {
  const realm = await findRealmById(options.db, asked.realm_id)
  if (realm) await mailReset(options, realm, asked)
  await dropRequest(options.db, asked.id)
}

/** Sends what is due and tries again what failed, also what was left by a process that was killed. */
export function startMailing(options: MailingOptions): Mailing {
  const { db, report } = options
  let running: Promise<void> | undefined
  const deliveries = new Map<Promise<void>, string>()
  const fail = (error: unknown) => report(error instanceof Error ? error : new Error(String(error)))

  async function round(): Promise<void> {
    for (const asked of await takeDueRequests(db, atOnce)) await answer(options, asked).catch(fail)
    const limit = mostDeliveries - deliveries.size
    if (limit > 0) for (const mail of await takeDueMails(db, { limit, perRealm, underWay: underWay() })) begin(mail)
  }

  function underWay(): Map<string, number> {
    const counted = new Map<string, number>()
    for (const realmId of deliveries.values()) counted.set(realmId, (counted.get(realmId) ?? 0) + 1)
    return counted
  }

  function begin(mail: Mail): void {
    const delivery = send(options, mail)
      .catch(fail)
      .finally(() => deliveries.delete(delivery))
    deliveries.set(delivery, mail.realm_id)
  }

  const timer = setInterval(() => {
    running ??= round()
      .catch(fail)
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
      await Promise.all(deliveries.keys())
    },
  }
}
