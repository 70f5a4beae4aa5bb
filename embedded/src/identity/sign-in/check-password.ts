import { passwordOf } from '../directory/credentials.ts'
import { recordEvent } from '../directory/login-events.ts'
import { countAttempt } from '../directory/login-failures.ts'
import { passwordMatches, spendAsMuch } from '../directory/password-hash.ts'
import type { Realm } from '../directory/realms.ts'
import { findByLogin, type User } from '../directory/users.ts'
import type { Db } from '../storage/database.ts'
import { attemptLimit } from './attempt-limits.ts'

const MINUTES = 60_000
const perAccount = attemptLimit(30, 5 * MINUTES)
const perAddress = attemptLimit(100, 5 * MINUTES)

export interface Attempt {
  username: string
  password: string
  ip: string
  clientId: string
}

export type Verdict = { user: User } | { problem: 'wrong' | 'too-many' }

const PASSWORD_LIMIT = 256

async function rightPassword(db: Db, realm: Realm, user: User | undefined, attempt: Attempt): Promise<boolean> {
  // Too long to be anybody's; hashing it would only cost us.
  const password = attempt.password.length > PASSWORD_LIMIT ? '' : attempt.password
  if (!user) return spendAsMuch(password)
  const mayTry = await countAttempt(db, realm.settings, user.id, attempt.ip)
  const stored = await passwordOf(db, user.id)
  if (!mayTry || !stored) return spendAsMuch(password)
  const right = await passwordMatches(stored.secret, password)
  return right && user.enabled
}

/** Judges a user name and password. Whatever is wrong with them, the answer and the time it takes are the same. */
export async function checkPassword(db: Db, realm: Realm, attempt: Attempt): Promise<Verdict> {
  const account = `${realm.id}:${attempt.username.trim().toLowerCase().slice(0, 255)}`
  const address = `${realm.id}:${attempt.ip}`
  if (!perAccount.take(account) || !perAddress.take(address)) return { problem: 'too-many' }
  const user = await findByLogin(db, realm.id, attempt.username, realm.settings.loginWithEmailAllowed)
  if (user && (await rightPassword(db, realm, user, attempt))) {
    perAccount.giveBack(account)
    perAddress.giveBack(address)
    return { user }
  }
  if (!user) await rightPassword(db, realm, undefined, attempt)
  await recordEvent(db, realm, {
    type: 'LOGIN_ERROR',
    clientId: attempt.clientId,
    userId: user?.id,
    ipAddress: attempt.ip,
    error: user ? 'invalid_user_credentials' : 'user_not_found',
    details: { username: attempt.username.slice(0, 255) },
  })
  return { problem: 'wrong' }
}
