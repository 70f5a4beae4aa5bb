import type { RealmSettings } from '../directory/realm-settings.ts'
import type { Db } from '../storage/database.ts'
import { digestOf } from '../storage/encryption.ts'
import { countedAddress } from './counted-address.ts'

/** How many attempts go wrong before whoever makes them has to rest, and for how long. */
export interface Limit {
  factor: number
  linear: boolean
  waitSeconds: number
  maxWaitSeconds: number
  /** Without an attempt for this long the count begins again. */
  windowSeconds: number
  /** After this many rests the next one has no end; null for never. */
  lockoutsBeforeForGood: number | null
}

/** Limit in a realm without brute force protection: guessing is slowed down all the same. */
const unprotected: Limit = {
  ...{ factor: 30, linear: false, waitSeconds: 60, maxWaitSeconds: 300, windowSeconds: 300 },
  lockoutsBeforeForGood: null,
}

/** Many people can be behind one address, so it has to go wrong often. */
const ofAddresses: Limit = {
  ...{ factor: 100, linear: false, waitSeconds: 60, maxWaitSeconds: 300, windowSeconds: 300 },
  lockoutsBeforeForGood: null,
}

function limitOfAccounts(settings: RealmSettings): Limit {
  if (!settings.bruteForceProtected) return unprotected
  return {
    factor: settings.failureFactor,
    linear: settings.bruteForceStrategy === 'LINEAR',
    waitSeconds: settings.waitIncrementSeconds,
    maxWaitSeconds: settings.maxFailureWaitSeconds,
    windowSeconds: settings.maxDeltaTimeSeconds,
    lockoutsBeforeForGood: settings.permanentLockout ? settings.maxTemporaryLockouts : null,
  }
}

/** Account that an attempt was for: a user, or a name that nobody has, which is counted just the same. */
type Tried = { userId: string } | { unknownName: string }

interface Attempt {
  settings: RealmSettings
  realmId: string
  tried: Tried
  ip: string
}

/** Refused until then; without a time until an administrator says otherwise. */
export interface Refusal {
  waitSeconds: number | undefined
}

const keyOf = (tried: Tried) => ('userId' in tried ? tried.userId : `name:${digestOf(tried.unknownName)}`)

/**
 * One statement counts an attempt for its account and for its address before the password is looked at, so that however
 * many come at once, exactly as many are tried as the limit says. `allowed` says how it was before this attempt.
 */
const count = `
  insert into login_attempt as known (realm_id, kind, key, failures, lockouts, last_failure, last_ip, allowed, locked_until)
  select $1, wanted.kind, wanted.key, 1, case when wanted.factor = 1 then 1 else 0 end, clock_timestamp(), $2, true,
    case when wanted.factor = 1 then clock_timestamp() + make_interval(secs => least(wanted.wait, wanted.max_wait)) end
  from jsonb_to_recordset($3::jsonb)
    as wanted (kind text, key text, factor int, linear boolean, wait int, max_wait int, window_seconds int, for_good int)
  on conflict (realm_id, kind, key) do update set
    (failures, lockouts, last_failure, last_ip, allowed, locked_until) = (
      select
        case when resting then known.failures else next end,
        case when resting or rest = 0 then known.lockouts else known.lockouts + 1 end,
        case when resting then known.last_failure else clock_timestamp() end,
        excluded.last_ip,
        not resting,
        case
          when resting then known.locked_until
          when rest = 0 then null
          when wanted.for_good is not null and known.lockouts >= wanted.for_good then 'infinity'
          else clock_timestamp() + make_interval(secs => rest)
        end
      from jsonb_to_recordset($3::jsonb)
        as wanted (kind text, key text, factor int, linear boolean, wait int, max_wait int, window_seconds int, for_good int)
      cross join lateral (
        select coalesce(known.locked_until > clock_timestamp(), false) as resting,
          case when known.last_failure < clock_timestamp() - make_interval(secs => wanted.window_seconds) then 1
            else known.failures + 1 end as next
      ) as now
      cross join lateral (
        select case
          when next < wanted.factor then 0
          when wanted.linear or next % wanted.factor = 0 then least(next / wanted.factor * wanted.wait, wanted.max_wait)
          else 0
        end as rest
      ) as due
      where wanted.kind = known.kind
    )
  returning kind, allowed,
    case when locked_until = 'infinity' then null
      else ceil(extract(epoch from locked_until - clock_timestamp()))::int end as wait_seconds,
    coalesce(locked_until = 'infinity', false) as for_good`

interface CountRow {
  allowed: boolean
  wait_seconds: number | null
  for_good: boolean
}

export const written = (kind: string, key: string, limit: Limit) => ({
  kind,
  key,
  factor: limit.factor,
  linear: limit.linear,
  wait: limit.waitSeconds,
  max_wait: limit.maxWaitSeconds,
  window_seconds: limit.windowSeconds,
  for_good: limit.lockoutsBeforeForGood,
})

/**
 * Counts in every place that is given; refused when one of them is at its limit. The same places are always given in the
 * same order, so that attempts side by side wait for one another and never in a ring.
 */
export async function countIn(
  db: Db,
  realmId: string,
  ip: string,
  places: readonly ReturnType<typeof written>[],
): Promise<Refusal | undefined> {
  const rows = await db.rows<CountRow>(count, [realmId, ip, JSON.stringify(places)])
  const refused = rows.filter(({ allowed }) => !allowed)
  if (refused.length === 0) return undefined
  if (refused.some(({ for_good }) => for_good)) return { waitSeconds: undefined }
  return { waitSeconds: Math.max(1, ...refused.map(({ wait_seconds }) => wait_seconds ?? 1)) }
}

/** Counts an attempt; a refusal means that the password must not even be tried. */
export function countAttempt(db: Db, { settings, realmId, tried, ip }: Attempt): Promise<Refusal | undefined> {
  return countIn(db, realmId, ip, [
    written('account', keyOf(tried), limitOfAccounts(settings)),
    written('address', countedAddress(ip), ofAddresses),
  ])
}

/** Forgets what was counted of an account, and takes one from the count of an address: after a good sign-in. */
export async function forgiveAttempts(db: Db, realmId: string, userId: string, ip: string): Promise<void> {
  await clearAttempts(db, realmId, userId)
  await db.run(
    `update login_attempt set failures = greatest(0, failures - 1)
     where realm_id = $1 and kind = 'address' and key = $2`,
    [realmId, countedAddress(ip)],
  )
}

export async function clearAttempts(db: Db, realmId: string, userId: string): Promise<void> {
  await db.run("delete from login_attempt where realm_id = $1 and kind = 'account' and key = $2", [realmId, userId])
}

/** Addresses from which nobody may sign in now. */
export async function lockedAddresses(db: Db, realmId: string) {
  const rows = await db.rows<{ key: string; failures: number; locked_until: Date }>(
    `select key, failures, locked_until from login_attempt
     where realm_id = $1 and kind = 'address' and locked_until > clock_timestamp() order by locked_until desc, key`,
    [realmId],
  )
  return rows.map(({ key, failures, locked_until }) => ({
    ...{ address: key, numFailures: failures },
    failedLoginNotBefore: Math.ceil(locked_until.getTime() / 1000),
  }))
}

/** False when nothing was counted of the address. */
export async function clearAddress(db: Db, realmId: string, address: string): Promise<boolean> {
  const gone = await db.row(
    "delete from login_attempt where realm_id = $1 and kind = 'address' and key = $2 returning key",
    [realmId, countedAddress(address)],
  )
  return gone !== undefined
}

/** Includes the attempts of addresses and of user names that do not exist. */
export async function clearRealmAttempts(db: Db, realmId: string): Promise<void> {
  await db.run('delete from login_attempt where realm_id = $1', [realmId])
}

interface AttemptRow {
  failures: number
  lockouts: number
  last_failure: Date
  last_ip: string | null
  locked: boolean
  locked_until: Date | null
}

/** Status of a user in the Admin API's attack detection. */
export async function attackStatus(db: Db, realmId: string, userId: string) {
  const row = await db.row<AttemptRow>(
    `select failures, lockouts, last_failure, last_ip, coalesce(locked_until > clock_timestamp(), false) as locked,
       nullif(locked_until, 'infinity') as locked_until
     from login_attempt where realm_id = $1 and kind = 'account' and key = $2`,
    [realmId, userId],
  )
  return {
    numFailures: row?.failures ?? 0,
    numTemporaryLockouts: row?.lockouts ?? 0,
    disabled: row?.locked ?? false,
    lastIPFailure: row?.last_ip ?? 'n/a',
    lastFailure: row?.last_failure.getTime() ?? 0,
    failedLoginNotBefore: row?.locked_until ? Math.floor(row.locked_until.getTime() / 1000) : 0,
  }
}
