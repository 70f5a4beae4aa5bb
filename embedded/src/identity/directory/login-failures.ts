import type { Db } from '../storage/database.ts'
import type { RealmSettings } from './realm-settings.ts'

export interface LoginFailure {
  failures: number
  lockouts: number
  last_failure: Date
  last_ip: string | null
  locked_until: Date | null
}

/** How long the account rests after this many failures in a row, in seconds; 0 while it may go on. */
export function restAfter(settings: RealmSettings, failures: number): number {
  const times = Math.floor(failures / settings.failureFactor)
  if (times === 0) return 0
  const due = settings.bruteForceStrategy === 'LINEAR' || failures % settings.failureFactor === 0
  return due ? Math.min(times * settings.waitIncrementSeconds, settings.maxFailureWaitSeconds) : 0
}

interface CountRow {
  failures: number
  lockouts: number
  resting: boolean
  stale: boolean
}

/**
 * Counts an attempt before its password is looked at, under a row lock, so that attempts side by side cannot outrun
 * the limit. False means that the account rests and the password must not even be tried.
 */
export async function countAttempt(db: Db, settings: RealmSettings, userId: string, ip: string): Promise<boolean> {
  if (!settings.bruteForceProtected) return true
  return db.transaction(async (tx) => {
    await tx.run(
      'insert into login_failure (user_id, failures, last_failure) values ($1, 0, clock_timestamp()) on conflict do nothing',
      [userId],
    )
    const known = await tx.row<CountRow>(
      `select failures, lockouts, coalesce(locked_until > clock_timestamp(), false) as resting,
         last_failure < clock_timestamp() - make_interval(secs => $2) as stale
       from login_failure where user_id = $1 for update`,
      [userId, settings.maxDeltaTimeSeconds],
    )
    if (!known || known.resting) return false
    const failures = known.stale ? 1 : known.failures + 1
    const rest = restAfter(settings, failures)
    const forGood = rest > 0 && settings.permanentLockout && known.lockouts >= settings.maxTemporaryLockouts
    await tx.run(
      `update login_failure set failures = $2, last_failure = clock_timestamp(), last_ip = $3,
         lockouts = lockouts + case when $4 > 0 then 1 else 0 end,
         locked_until = case when $5 then 'infinity' when $4 > 0 then clock_timestamp() + make_interval(secs => $4) end
       where user_id = $1`,
      [userId, failures, ip, rest, forGood],
    )
    return true
  })
}

/** Forgets the count: after a good sign-in, or when an administrator says so. */
export async function clearFailures(db: Db, userId: string): Promise<void> {
  await db.run('delete from login_failure where user_id = $1', [userId])
}

export async function clearRealmFailures(db: Db, realmId: string): Promise<void> {
  await db.run('delete from login_failure where user_id in (select id from user_account where realm_id = $1)', [
    realmId,
  ])
}

export function findFailures(db: Db, userId: string): Promise<LoginFailure | undefined> {
  return db.row<LoginFailure>(
    `select failures, lockouts, last_failure, last_ip, nullif(locked_until, 'infinity') as locked_until
     from login_failure where user_id = $1`,
    [userId],
  )
}

/** Whether the account rests right now, or for good. */
export async function isLocked(db: Db, userId: string): Promise<boolean> {
  const row = await db.row('select 1 from login_failure where user_id = $1 and locked_until > clock_timestamp()', [
    userId,
  ])
  return row !== undefined
}
