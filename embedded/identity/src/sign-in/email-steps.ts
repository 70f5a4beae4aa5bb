import { mailLink, ownLifespan } from '../action-tokens/action-tokens.ts'
import { recordEvent } from '../directory/login-events.ts'
import type { Realm } from '../directory/realms.ts'
import type { User } from '../directory/users.ts'
import { Problem } from '../http/problem.ts'
import { isAddress } from '../mail/mail-server.ts'
import { mailsLately } from '../mail/mail-store.ts'
import type { Db } from '../storage/database.ts'
import type { Progress } from './progress.ts'

interface Mailing {
  db: Db
  realm: Realm
  issuer: string
  user: User
  progress: Pick<Progress, 'roles_when_read'>
}

/** Mails for the confirmation of an address that one person gets in an hour. */
const mostConfirmations = 5
const tooManyMails =
  'Several mails were sent to this address already. Look among unwanted mail, or try again in an hour'

/** Mails a link to an address that becomes the person's when it is opened. */
export async function mailNewAddress({ db, realm, issuer, user, progress }: Mailing, typed: string): Promise<void> {
  const email = typed.toLowerCase()
  if (!isAddress(email)) throw new Problem(400, { errorMessage: 'E-mail address is not valid' })
  if ((await mailsLately(db, user.id, 'update-email')) >= mostConfirmations)
    throw new Problem(429, { errorMessage: tooManyMails })
  await mailLink(db, {
    ...{ realm, issuer, userId: user.id, kind: 'update-email', actions: [], email },
    ...{ lifespan: ownLifespan(realm), rolesWhenRead: progress.roles_when_read },
  })
}

/** Mails the link that confirms the address of the account; a message when there were too many. */
export async function mailConfirmation(ctx: Mailing): Promise<string | undefined> {
  const { db, realm, issuer, user, progress } = ctx
  if (user.email === null) return undefined
  if ((await mailsLately(db, user.id, 'verify-email')) >= mostConfirmations) return `${tooManyMails}.`
  await mailLink(db, {
    ...{ realm, issuer, userId: user.id, kind: 'verify-email', actions: [], email: user.email },
    ...{ lifespan: ownLifespan(realm), rolesWhenRead: progress.roles_when_read },
  })
  await recordEvent(db, realm, { type: 'SEND_VERIFY_EMAIL', userId: user.id })
  return undefined
}

interface Waiting extends Mailing {
  form: URLSearchParams
}

/** The page is left by the link in the mail alone; this sends another one, or says that it is still waited for. */
export async function confirmLater(ctx: Waiting): Promise<string | undefined> {
  if (ctx.form.get('again') === 'yes') return mailConfirmation(ctx)
  return 'The address is not confirmed yet. Open the link in the mail first.'
}
