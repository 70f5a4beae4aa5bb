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

/**
 * Counts an attempt before its password is looked at, so that attempts side by side cannot outrun the limit.
 * False means that the account rests and the password must not even be tried.
 */
export async function countAttempt(db: Db, settings: RealmSettings, userId: string, ip: string): Promise<boolean> {
  if (!settings.bruteForceProtected) return true
  const row = await db.row<{ failures: number; pause_ms: number | null }>(
    `insert into login_failure as f (user_id, failures, last_failure, last_ip) values ($1, 1, clock_timestamp(), $2)
     on conflict (user_id) do update set
       failures = case when f.last_failure < clock_timestamp() - make_interval(secs => $3) then 1 else f.failures + 1 end,
       last_failure = clock_timestamp(), last_ip = $2
     where f.locked_until is null or f.locked_until < clock_timestamp()
     returning f.failures`,
    [userId, ip, settings.maxDeltaTimeSeconds],
  )
  if (!row) return false
  const rest = restAfter(settings, row.failures)
  if (rest > 0) {
    await db.run(
      `update login_failure set lockouts = lockouts + 1,
         locked_until = case when $3 and lockouts >= $4 then 'infinity' else clock_timestamp() + make_interval(secs => $2) end
       where user_id = $1`,
      [userId, rest, settings.permanentLockout, settings.maxTemporaryLockouts],
    )
  }
  return true
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
