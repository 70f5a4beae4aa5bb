import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/exchange.ts'
import { notFound } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'
import type { MailKind } from './letters.ts'

/**
 * `kept`: there was no mail server, an administrator reads it in the outbox. `pending`: is sent, or tried again.
 * `sent`: a mail server has taken it. `failed`: it was given up.
 */
type MailStatus = 'kept' | 'pending' | 'sent' | 'failed'

export interface Mail {
  id: string
  realm_id: string
  user_id: string
  kind: MailKind
  recipient: string
  subject: string
  sealed: string | null
  status: MailStatus
  tries: number
  reason: string | null
  next_try_at: Date | null
  created_at: Date
  expires_at: Date
  sent_at: Date | null
}

interface Content {
  text: string
  html: string
  link: string
}

const placeOf = (id: string) => `mail:${id}`

interface NewMail extends Content {
  realmId: string
  userId: string
  kind: MailKind
  recipient: string
  subject: string
  expiresAt: Date
  isSent: boolean
}

/** Puts a mail where it is sent from, or kept for an administrator. */
export async function addMail(db: Db, mail: NewMail): Promise<void> {
  const id = randomUUID()
  const { text, html, link } = mail
  await db.run(
    `insert into mail (id, realm_id, user_id, kind, recipient, subject, sealed, status, next_try_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $8 = 'pending' then clock_timestamp() end, $9)`,
    [
      ...[id, mail.realmId, mail.userId, mail.kind, mail.recipient, mail.subject],
      ...[db.encryption.encrypt(placeOf(id), JSON.stringify({ text, html, link } satisfies Content))],
      ...[mail.isSent ? 'pending' : 'kept', mail.expiresAt],
    ],
  )
}

export function openMail(db: Db, { id, sealed }: Pick<Mail, 'id' | 'sealed'>): Content | undefined {
  return sealed === null ? undefined : (JSON.parse(db.encryption.decrypt(placeOf(id), sealed)) as Content)
}

const leaseSeconds = 120
const columns = `id, realm_id, user_id, kind, recipient, subject, sealed, status, tries, reason, next_try_at, created_at,
  expires_at, sent_at`

interface Share {
  /** Mails to take. */
  limit: number
  /** Mails of one realm that are delivered at a time. */
  perRealm: number
  /** Mails that are being delivered, by the id of their realm. */
  underWay: ReadonlyMap<string, number>
}

/**
 * Takes mails whose time has come, the first of each realm before the second of any. Each is nobody else's until the lease
 * ends, also when this process is killed.
 */
export function takeDueMails(db: Db, { limit, perRealm, underWay }: Share): Promise<Mail[]> {
  const due = `status = 'pending' and next_try_at <= clock_timestamp()`
  return db.rows<Mail>(
    `update mail set tries = tries + 1, next_try_at = clock_timestamp() + make_interval(secs => $2)
     where id in (select id from mail where ${due} and id in (
         select id from (
           select id, next_try_at, coalesce(($4::jsonb ->> realm_id)::int, 0)
             + row_number() over (partition by realm_id order by next_try_at, id) as place
           from mail where ${due}) as ranked
         where place <= $3 order by place, next_try_at limit $1)
       for update skip locked)
     returning ${columns}`,
    [limit, leaseSeconds, perRealm, JSON.stringify(Object.fromEntries(underWay))],
  )
}

/** The link has left the house: nobody reads it here any more. */
export async function markSent(db: Db, id: string): Promise<void> {
  await db.run(
    `update mail set status = 'sent', sealed = null, reason = null, next_try_at = null, sent_at = clock_timestamp()
     where id = $1`,
    [id],
  )
}

export async function markFailed(db: Db, id: string, reason: string): Promise<void> {
  await db.run(`update mail set status = 'failed', next_try_at = null, reason = $2 where id = $1`, [id, reason])
}

export async function tryAgainIn(db: Db, id: string, seconds: number, reason: string): Promise<void> {
  await db.run(
    `update mail set next_try_at = clock_timestamp() + make_interval(secs => $2), reason = $3 where id = $1`,
    [id, seconds, reason],
  )
}

/** Mails to a person in the last hour: nobody can have somebody's mailbox filled. */
export async function mailsLately(db: Db, userId: string, kind: MailKind): Promise<number> {
  const row = await db.row<{ count: number }>(
    `select count(*)::int as count from mail
     where user_id = $1 and kind = $2 and created_at > clock_timestamp() - interval '1 hour'`,
    [userId, kind],
  )
  return row?.count ?? 0
}

/** Mails in the last hour that administrators have sent to a person, and to everybody in the realm. */
export async function adminMailsLately(db: Db, realmId: string, userId: string) {
  const row = await db.row<{ to_person: number; to_all: number }>(
    `select count(*) filter (where user_id = $2)::int as to_person, count(*)::int as to_all from mail
     where realm_id = $1 and kind = 'execute-actions' and created_at > clock_timestamp() - interval '1 hour'`,
    [realmId, userId],
  )
  return { toPerson: row?.to_person ?? 0, toAll: row?.to_all ?? 0 }
}

const toJson = (mail: Mail): JsonObject => ({
  id: mail.id,
  userId: mail.user_id,
  kind: mail.kind,
  to: mail.recipient,
  subject: mail.subject,
  status: mail.status,
  tries: mail.tries,
  reason: mail.reason,
  nextTry: mail.next_try_at?.getTime() ?? null,
  createdDate: mail.created_at.getTime(),
  expires: mail.expires_at.getTime(),
  sentDate: mail.sent_at?.getTime() ?? null,
  readable: mail.sealed !== null && mail.expires_at.getTime() > Date.now(),
})

interface MailQuery {
  search?: string
  status?: string
  first: number
  max: number
}

const where = `realm_id = $1 and ($2::text is null or status = $2)
  and ($3::text is null or position(lower($3) in lower(recipient)) > 0)`

/** The newest first, without what leads into accounts. */
export async function listMails(db: Db, realmId: string, query: MailQuery): Promise<JsonObject[]> {
  const rows = await db.rows<Mail>(
    `select ${columns} from mail where ${where} order by created_at desc, id offset $4 limit $5`,
    [realmId, query.status ?? null, query.search ?? null, query.first, query.max],
  )
  return rows.map(toJson)
}

export async function countMails(db: Db, realmId: string, query: Omit<MailQuery, 'first' | 'max'>): Promise<number> {
  const row = await db.row<{ count: number }>(`select count(*)::int as count from mail where ${where}`, [
    ...[realmId, query.status ?? null, query.search ?? null],
  ])
  return row?.count ?? 0
}

async function requireMail(db: Db, realmId: string, id: string): Promise<Mail> {
  const mail = await db.row<Mail>(`select ${columns} from mail where realm_id = $1 and id = $2`, [realmId, id])
  if (!mail) throw notFound('Mail')
  return mail
}

/** One mail with its text and link, as long as they are there. */
export async function readMail(db: Db, realmId: string, id: string): Promise<JsonObject> {
  const mail = await requireMail(db, realmId, id)
  const known = toJson(mail)
  const content = known.readable === true ? openMail(db, mail) : undefined
  return { ...known, ...(content ? { text: content.text, link: content.link } : {}) }
}

/** Puts a mail that was kept or given up among those to be sent. */
export async function sendAgain(db: Db, realmId: string, id: string): Promise<boolean> {
  await requireMail(db, realmId, id)
  const changed = await db.run(
    `update mail set status = 'pending', tries = 0, reason = null, next_try_at = clock_timestamp()
     where id = $1 and status in ('kept', 'failed') and sealed is not null and expires_at > clock_timestamp()`,
    [id],
  )
  return changed > 0
}
