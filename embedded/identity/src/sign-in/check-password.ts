import { countAttempt, type Refusal } from '../attack-detection/login-attempts.ts'
import { passwordOf } from '../directory/credentials.ts'
import { recordEvent } from '../directory/login-events.ts'
import { passwordMatches, spendAsMuch } from '../directory/password-hash.ts'
import type { Realm } from '../directory/realms.ts'
import { findByLogin, type User } from '../directory/users.ts'
import type { Db } from '../storage/database.ts'

interface Attempt {
  username: string
  password: string
  ip: string
  clientId: string
}

type Verdict = { user: User } | { problem: 'wrong' } | { problem: 'refused'; refusal: Refusal }

const PASSWORD_LIMIT = 256
const nobody = '00000000-0000-0000-0000-000000000000'

/** Asks the same questions of a name that nobody has, so that the answer takes as long. */
async function isRight(db: Db, user: User | undefined, typed: string): Promise<boolean> {
  // Too long to be anybody's; hashing it would only cost us.
  const password = typed.length > PASSWORD_LIMIT ? '' : typed
  const stored = await passwordOf(db, user?.id ?? nobody)
  if (!stored) return spendAsMuch(password)
  return (await passwordMatches(stored.secret, password)) && user?.enabled === true
}

/** Judges a user name and password. Whatever is wrong with them, the answer and the time it takes are the same. */
export async function checkPassword(db: Db, realm: Realm, attempt: Attempt): Promise<Verdict> {
  // The database takes no NUL, and nobody is called by one.
  const username = attempt.username.includes('\0') ? '' : attempt.username.slice(0, 255)
  const typed = username.trim().toLowerCase()
  const user = await findByLogin(db, realm.id, typed, realm.settings.loginWithEmailAllowed)
  const tried = user ? { userId: user.id } : { unknownName: typed }
  const counted = { settings: realm.settings, realmId: realm.id, tried, ip: attempt.ip }
  const refusal = await countAttempt(db, counted)
  if (!refusal && (await isRight(db, user, attempt.password)) && user) return { user }
  await recordEvent(db, realm, {
    type: 'LOGIN_ERROR',
    clientId: attempt.clientId,
    userId: user?.id,
    ipAddress: attempt.ip,
    error: refusal ? 'user_temporarily_disabled' : user ? 'invalid_user_credentials' : 'user_not_found',
    details: { username },
  })
  return refusal ? { problem: 'refused', refusal } : { problem: 'wrong' }
}
