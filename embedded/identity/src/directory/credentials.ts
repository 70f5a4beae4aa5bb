import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/exchange.ts'
import { Problem } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'
import { hashPassword, passwordMatches } from './password-hash.ts'
import { expiryDays, historyLength, policyProblem } from './password-policy.ts'

interface Credential {
  id: string
  type: 'password' | 'password-history' | 'otp'
  label: string | null
  secret: string
  data: JsonObject
  created_at: Date
}

interface Subject {
  id: string
  username: string
  email: string | null
}

const columns = 'id, type, label, secret, data, created_at'

export function credentialsOf(db: Db, userId: string): Promise<Credential[]> {
  return db.rows<Credential>(
    `select ${columns} from credential where user_id = $1 and type <> 'password-history' order by priority, created_at`,
    [userId],
  )
}

export function credentialToJson(credential: Credential): JsonObject {
  return {
    id: credential.id,
    type: credential.type,
    ...(credential.label === null ? {} : { userLabel: credential.label }),
    createdDate: credential.created_at.getTime(),
    credentialData: JSON.stringify(credential.data),
  }
}

export function passwordOf(db: Db, userId: string): Promise<Credential | undefined> {
  return db.row<Credential>(`select ${columns} from credential where user_id = $1 and type = 'password'`, [userId])
}

const placeOf = (id: string) => `credential:${id}`

/** Second factors with their secrets; a password is kept as a hash and needs no opening. */
export async function otpDevicesOf(db: Db, userId: string): Promise<Credential[]> {
  const devices = await db.rows<Credential>(
    `select ${columns} from credential where user_id = $1 and type = 'otp' order by priority, created_at`,
    [userId],
  )
  return devices.map((device) => ({ ...device, secret: db.encryption.decrypt(placeOf(device.id), device.secret) }))
}

async function refuseFormer(db: Db, userId: string, password: string, keep: number): Promise<void> {
  const former = await db.rows<{ secret: string }>(
    `select secret from credential where user_id = $1 and type in ('password', 'password-history')
     order by created_at desc limit $2`,
    [userId, keep],
  )
  for (const { secret } of former) {
    if (await passwordMatches(secret, password)) {
      throw new Problem(400, {
        error: 'invalidPasswordHistoryMessage',
        error_description: `Invalid password: must not be equal to any of last ${keep} passwords.`,
      })
    }
  }
}

/** Stores a new password after the realm's policy has agreed to it. */
export async function setPassword(db: Db, user: Subject, password: string, policy: string | undefined): Promise<void> {
  const store = await agreedPassword(db, user, password, policy)
  await db.transaction(async (tx) => {
    await tx.run('select 1 from user_account where id = $1 for update', [user.id])
    await store(tx)
  })
}

/**
 * A new password that the realm's policy has agreed to, hashed, which takes its time.
 * @returns stores it, in a transaction that has locked the user
 */
export async function agreedPassword(db: Db, user: Subject, password: string, policy: string | undefined) {
  const problem = policyProblem(policy, password, user)
  if (problem) throw problem
  const keep = historyLength(policy)
  if (keep > 0) await refuseFormer(db, user.id, password, keep)
  const secret = await hashPassword(password)
  return async (tx: Db): Promise<void> => {
    await tx.run("update credential set type = 'password-history' where user_id = $1 and type = 'password'", [user.id])
    await tx.run(
      `delete from credential where user_id = $1 and type = 'password-history' and id not in
       (select id from credential where user_id = $1 and type = 'password-history' order by created_at desc limit $2)`,
      [user.id, Math.max(keep - 1, 0)],
    )
    await tx.run('insert into credential (id, user_id, type, secret, data) values ($1, $2, $3, $4, $5)', [
      randomUUID(),
      user.id,
      'password',
      secret,
      JSON.stringify({
        algorithm: 'argon2',
        hashIterations: 2,
        additionalParameters: { type: ['id'], memory: ['19456'] },
      }),
    ])
  }
}

/** Tells whether the password is so old that the policy wants a new one. */
export function passwordExpired(policy: string | undefined, credential: Credential, now: number): boolean {
  const days = expiryDays(policy)
  return days !== undefined && credential.created_at.getTime() + days * 86_400_000 < now
}

export async function addOtpDevice(
  db: Db,
  userId: string,
  secret: string,
  label: string,
  data: JsonObject,
): Promise<void> {
  const id = randomUUID()
  await db.run(
    'insert into credential (id, user_id, type, label, secret, data, priority) values ($1, $2, $3, $4, $5, $6, 20)',
    [id, userId, 'otp', label, db.encryption.encrypt(placeOf(id), secret), JSON.stringify(data)],
  )
}

/** Writes down up to which step the codes of a device are used; false when somebody was quicker with one. */
export async function useStep(db: Db, credentialId: string, step: number, isReusable: boolean): Promise<boolean> {
  const used = await db.run(
    `update credential set data = data || jsonb_build_object('counter', $2::int + 1, 'lastStep', $2::int)
     where id = $1 and ($3 or coalesce((data ->> 'lastStep')::int, -1) < $2)`,
    [credentialId, step, isReusable],
  )
  return used > 0
}

export async function removeCredentials(db: Db, userId: string, types: readonly string[]): Promise<void> {
  await db.run('delete from credential where user_id = $1 and type = any($2)', [userId, types])
}
