import { randomBytes } from 'node:crypto'
import { effectiveRoles } from '../directory/effective-roles.ts'
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
  /** Ids of the roles that the person had when somebody else read the link; null while nobody has. */
  roles_when_read: string[] | null
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
  /** Somebody else reads the link now. */
  isRead?: boolean
  /** Roles of the way on which the link is asked for, where that began with a link that somebody else had read. */
  rolesWhenRead?: string[] | null
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
    `insert into action_token
       (digest, realm_id, user_id, kind, actions, email, client_id, return_to, roles_when_read, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $10, clock_timestamp() + make_interval(secs => $9)) returning expires_at`,
    [
      ...[digestOf(key), wanted.realm.id, wanted.userId, wanted.kind, wanted.actions, wanted.email ?? null],
      ...[wanted.clientId ?? null, wanted.returnTo ?? null, wanted.lifespan],
      wanted.rolesWhenRead ?? ((await othersMayRead(db, wanted)) ? await rolesNow(db, wanted.userId) : null),
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

/** Tells whether somebody else may read a link: one that is handed over, or goes to an address that is merely typed. */
async function othersMayRead(db: Db, { userId, kind, email, isRead = false }: Wanted): Promise<boolean> {
  if (isRead || kind === 'update-email') return true
  if (email === undefined) return false
  const typed = await db.row('select 1 from user_account where id = $1 and email_typed and not email_verified', [
    userId,
  ])
  return typed !== undefined
}

export const rolesNow = async (db: Db, userId: string) => (await effectiveRoles(db, userId)).map(({ id }) => id)

/** Notes what the person holds when somebody else reads their link: the first who reads it counts. */
export async function noteRead(db: Db, userId: string, link: string): Promise<void> {
  const key = new URL(link).searchParams.get('key') ?? ''
  await db.run('update action_token set roles_when_read = coalesce(roles_when_read, $2) where digest = $1', [
    digestOf(key),
    await rolesNow(db, userId),
  ])
}

/** Tells whether a link that somebody else has read would now lead to more than they were trusted with then. */
export async function leadsToMore(
  db: Db,
  { user_id: userId, roles_when_read: then }: Pick<ActionToken, 'user_id' | 'roles_when_read'>,
): Promise<boolean> {
  if (then === null) return false
  const known = new Set(then)
  return (await rolesNow(db, userId)).some((id) => !known.has(id))
}

const columns = 'digest, user_id, kind, actions, email, return_to, roles_when_read'
/** The address of the account is still the one that the link went to; that of a new address is not yet. */
const fits = `realm_id = $1 and digest = $2 and expires_at > clock_timestamp()
  and exists (select 1 from user_account u where u.id = user_id and u.enabled
    and (action_token.email is null or kind = 'update-email' or u.email = action_token.email)
    and (u.sessions_ended_at is null or u.sessions_ended_at < action_token.created_at))`

/** Looks at a link without using it up: mail programs open links to look at them. */
export async function findToken(db: Db, realmId: string, key: string): Promise<ActionToken | undefined> {
  const token = await db.row<ActionToken>(`select ${columns} from action_token where ${fits}`, [realmId, digestOf(key)])
  return token && !(await leadsToMore(db, token)) ? token : undefined
}

/** Uses a link up. However many ask at once, one gets it. */
export async function takeToken(db: Db, realmId: string, key: string): Promise<ActionToken | undefined> {
  if (!(await findToken(db, realmId, key))) return undefined
  return db.row<ActionToken>(`delete from action_token where ${fits} returning ${columns}`, [realmId, digestOf(key)])
}

/** How long a link lasts that somebody asked for themselves; one in the outbox waits for an administrator. */
export function ownLifespan({ settings }: Realm): number {
  const own = settings.actionTokenGeneratedByUserLifespan
  return mailServerOf(settings) ? own : Math.max(own, settings.actionTokenGeneratedByAdminLifespan)
}
