import { lockUser, type User } from '../directory/users.ts'
import type { Db } from '../storage/database.ts'
import { digestOf } from '../storage/encryption.ts'

/** How far somebody has come on the way through the sign-in pages, after their password was right. */
export interface Progress {
  user_id: string
  otp_passed: boolean
  /** The session outlives the browser. */
  remember: boolean
  /** Alias of the identity provider by which they came; null for a password of ours. */
  provider: string | null
  /** The key of a second factor that is shown but not yet confirmed. */
  pending_secret: string | null
  /** Ways by which somebody has shown who they are, as RFC 8176 names them; they go into tokens. */
  amr: string[]
  /** Actions that a link allows and that are not done; null on the way of an ordinary sign-in. */
  actions: string[] | null
  /** Address that the person is sent back to in the end; only of a link. */
  return_to: string | null
  /** Roles that the person had when somebody else read the link; null for one that only they have. */
  roles_when_read: string[] | null
  /** When the password was asked, in seconds of the database's clock. */
  since: number
}

const placeOf = (interaction: string) => `sign_in:${digestOf(interaction)}`

export async function findProgress(db: Db, interaction: string): Promise<Progress | undefined> {
  const row = await db.row<Progress>(
    `select user_id, otp_passed, remember, amr, provider, pending_secret, actions, return_to, roles_when_read,
       extract(epoch from s.started_at)::float8 as since
     from sign_in s join user_account u on u.id = s.user_id
     where interaction = $1 and (u.sessions_ended_at is null or u.sessions_ended_at < s.started_at)`,
    [digestOf(interaction)],
  )
  if (!row?.pending_secret) return row
  return { ...row, pending_secret: db.encryption.decrypt(placeOf(interaction), row.pending_secret) }
}

interface Start {
  userId: string
  otpPassed: boolean
  remember: boolean
  amr: readonly string[]
  provider?: string
  /** A time before the password was looked at, by `timeNow`. */
  since: number
  actions?: readonly string[]
  returnTo?: string | null
  rolesWhenRead?: string[] | null
}

/** Seconds by the database's clock, which all replicas share. */
export async function timeNow(db: Db): Promise<number> {
  const row = await db.row<{ now: number }>('select extract(epoch from clock_timestamp())::float8 as now')
  return row?.now ?? 0
}

export async function startProgress(db: Db, interaction: string, realmId: string, start: Start) {
  await db.run(
    `insert into sign_in (interaction, realm_id, user_id, otp_passed, remember, started_at, actions, return_to, amr,
       roles_when_read, provider)
     values ($1, $2, $3, $4, $5, to_timestamp($6), $7, $8, $9, $10, $11)
     on conflict (interaction) do update set user_id = $3, otp_passed = $4, remember = $5, pending_secret = null,
       started_at = excluded.started_at, actions = $7, return_to = $8, mailed_at = null, amr = $9, roles_when_read = $10,
       provider = $11`,
    [
      ...[digestOf(interaction), realmId, start.userId, start.otpPassed, start.remember, start.since],
      ...[
        start.actions ?? null,
        start.returnTo ?? null,
        start.amr,
        start.rolesWhenRead ?? null,
        start.provider ?? null,
      ],
    ],
  )
}

/** An action of a link is done. */
export async function finishAction(db: Db, interaction: string, action: string): Promise<void> {
  await db.run('update sign_in set actions = array_remove(actions, $2) where interaction = $1', [
    ...[digestOf(interaction), action],
  ])
}

/** True for the first who asks: one page shown twice sends one mail. */
export async function noteMail(db: Db, interaction: string): Promise<boolean> {
  const changed = await db.run(
    'update sign_in set mailed_at = clock_timestamp() where interaction = $1 and mailed_at is null',
    [digestOf(interaction)],
  )
  return changed > 0
}

/**
 * Counts for the user whose second factor it was: somebody else may have given a password in this interaction meanwhile.
 * @param factor its name in tokens
 */
export async function passOtp(db: Db, interaction: string, userId: string, factor: 'otp' | 'hwk'): Promise<void> {
  await db.run(
    `update sign_in set otp_passed = true, amr = case when $3 = any(amr) then amr else array_append(amr, $3) end
     where interaction = $1 and user_id = $2`,
    [digestOf(interaction), userId, factor],
  )
}

/** Gives the key to show: the one already shown, so that a reload does not spoil a scanned one. */
export async function pendingSecret(db: Db, interaction: string, fresh: string): Promise<string> {
  const row = await db.row<{ pending_secret: string }>(
    'update sign_in set pending_secret = coalesce(pending_secret, $2) where interaction = $1 returning pending_secret',
    [digestOf(interaction), db.encryption.encrypt(placeOf(interaction), fresh)],
  )
  return row ? db.encryption.decrypt(placeOf(interaction), row.pending_secret) : fresh
}

/**
 * Does something to the account of somebody on their way, one after the other with everything else that is done to it. Who
 * was sent out or disabled meanwhile does nothing.
 */
export async function whileOnTheWay(
  db: Db,
  who: { realmId: string; userId: string; interaction: string },
  work: (tx: Db, user: User, progress: Progress) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, who.realmId, who.userId)
    const progress = await findProgress(tx, who.interaction)
    if (user?.enabled && progress?.user_id === user.id) await work(tx, user, progress)
  })
}

export async function endProgress(db: Db, interaction: string): Promise<void> {
  await db.run('delete from sign_in where interaction = $1', [digestOf(interaction)])
}
