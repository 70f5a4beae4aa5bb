import { countRequest } from '../attack-detection/request-limits.ts'
import { setPassword } from '../directory/credentials.ts'
import { recordEvent } from '../directory/login-events.ts'
import type { Realm } from '../directory/realms.ts'
import { isUnfit } from '../directory/unfit-text.ts'
import { createUser, noteTypedEmail, requireUser, type User } from '../directory/users.ts'
import { Problem } from '../http/problem.ts'
import { isAddress } from '../mail/mail-server.ts'
import type { RegistrationFields } from '../pages/self-service-pages.ts'
import type { Db } from '../storage/database.ts'
import { requestRefusalText } from './refusal-text.ts'

const LIMIT = 255

/** Fields as they were typed, cut to what the page itself takes. */
export function typedRegistration(form: URLSearchParams): RegistrationFields {
  const read = (name: string) => (form.get(name) ?? '').trim().slice(0, LIMIT)
  return {
    ...{ username: read('username'), email: read('email') },
    ...{ firstName: read('firstName'), lastName: read('lastName') },
  }
}

export const unfitName = 'A name has characters that are not allowed.'
export const isNoName = (text: string) => isUnfit(text) || /[<>]/.test(text)

function problemOf(typed: RegistrationFields, password: string, again: string): string | undefined {
  const { username, email, firstName, lastName } = typed
  if (!username || !email || !firstName || !lastName || !password) return 'Please fill in every field.'
  if (!isAddress(email)) return 'This is no e-mail address.'
  if (isNoName(firstName) || isNoName(lastName)) return unfitName
  if (password !== again) return 'Passwords do not match.'
  return undefined
}

interface Registration {
  db: Db
  realm: Realm
  form: URLSearchParams
  ip: string
  clientId: string
}

/** Makes the account of somebody who registers; a sentence when that is not possible. */
export async function register({ db, realm, form, ip, clientId }: Registration): Promise<User | string> {
  const typed = typedRegistration(form)
  const wanted = { ...typed, username: realm.settings.registrationEmailAsUsername ? typed.email : typed.username }
  const password = form.get('password-new') ?? ''
  const problem = problemOf(wanted, password, form.get('password-confirm') ?? '')
  if (problem) return problem
  const refusal = await countRequest(db, { realmId: realm.id, what: 'registration', name: wanted.email, ip })
  if (refusal) return requestRefusalText(refusal)
  const event = { clientId, ipAddress: ip, details: { username: wanted.username, email: wanted.email } }
  try {
    const user = await db.transaction(async (tx) => {
      const id = await createUser(tx, realm, { ...wanted, enabled: true })
      await noteTypedEmail(tx, id)
      const made = await requireUser(tx, realm.id, id)
      await setPassword(tx, made, password, realm.settings.passwordPolicy)
      return made
    })
    await recordEvent(db, realm, { type: 'REGISTER', userId: user.id, ...event })
    return user
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await recordEvent(db, realm, { type: 'REGISTER_ERROR', ...event, error: 'invalid_registration' })
    return error.status === 409
      ? 'Somebody has this user name or e-mail address already. If it is you, sign in.'
      : `${error.message.replace(/\.$/, '')}.`
  }
}
