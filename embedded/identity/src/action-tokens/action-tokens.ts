import { randomBytes } from 'node:crypto'
import type { Realm } from '../directory/realms.ts'
import { type MailKind, writeLetter } from '../mail/letters.ts'
import { mailServerOf } from '../mail/mail-server.ts'
import { addMail } from '../mail/mail-store.ts'
import { realmTitle } from '../pages/layout.ts'
import type { Db } from '../storage/database.ts'
import { digestOf } from '../storage/encryption.ts'

/** A link by which one person does some things once. Only its digest is kept. */
export interface ActionToken {
  digest: string
  user_id: string
  kind: MailKind
  actions: string[]
  /** The address that the link was mailed to, which opening it proves; null for one that was handed over. */
  email: string | null
  return_to: string | null
}

interface Wanted {
  realm: Realm
  issuer: string
  userId: string
  kind: MailKind
  actions: readonly string[]
  email?: string
  clientId?: string
  returnTo?: string
  /** Seconds. */
  lifespan: number
}

interface Link {
  link: string
  expiresAt: Date
}

export const ACTION_TOKEN_PATH = '/login-actions/action-token'

export async function makeLink(db: Db, wanted: Wanted): Promise<Link> {
  const key = randomBytes(32).toString('base64url')
  const row = await db.row<{ expires_at: Date }>(
    `insert into action_token (digest, realm_id, user_id, kind, actions, email, client_id, return_to, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp() + make_interval(secs => $9)) returning expires_at`,
    [
      ...[digestOf(key), wanted.realm.id, wanted.userId, wanted.kind, wanted.actions, wanted.email ?? null],
      ...[wanted.clientId ?? null, wanted.returnTo ?? null, wanted.lifespan],
    ],
  )
  return { link: `${wanted.issuer}${ACTION_TOKEN_PATH}?key=${key}`, expiresAt: row?.expires_at ?? new Date() }
}

/** Makes a link and the mail that carries it, both or none. */
export async function mailLink(db: Db, wanted: Wanted & { email: string }): Promise<void> {
  const { realm, kind, actions, email, userId } = wanted
  await db.transaction(async (tx) => {
    const { link, expiresAt } = await makeLink(tx, wanted)
    const letter = writeLetter({ kind, realm: realmTitle(realm), actions, link, lifespan: wanted.lifespan })
    const isSent = mailServerOf(realm.settings) !== undefined
    await addMail(tx, { ...letter, link, realmId: realm.id, userId, kind, recipient: email, expiresAt, isSent })
  })
}

const columns = 'digest, user_id, kind, actions, email, return_to'
/** The address of the account is still the one that the link went to; that of a new address is not yet. */
const fits = `realm_id = $1 and digest = $2 and expires_at > clock_timestamp()
  and exists (select 1 from user_account u where u.id = user_id and u.enabled
    and (action_token.email is null or kind = 'update-email' or u.email = action_token.email)
    and (u.sessions_ended_at is null or u.sessions_ended_at < action_token.created_at))`

/** Looks at a link without using it up: mail programs open links to look at them. */
export function findToken(db: Db, realmId: string, key: string): Promise<ActionToken | undefined> {
  return db.row<ActionToken>(`select ${columns} from action_token where ${fits}`, [realmId, digestOf(key)])
}

/** Uses a link up. However many ask at once, one gets it. */
export function takeToken(db: Db, realmId: string, key: string): Promise<ActionToken | undefined> {
  return db.row<ActionToken>(`delete from action_token where ${fits} returning ${columns}`, [realmId, digestOf(key)])
}

/** How long a link lasts that somebody asked for themselves; one in the outbox waits for an administrator. */
export function ownLifespan({ settings }: Realm): number {
  const own = settings.actionTokenGeneratedByUserLifespan
  return mailServerOf(settings) ? own : Math.max(own, settings.actionTokenGeneratedByAdminLifespan)
}
