import { parsePolicy } from '../directory/password-policy.ts'
import type { Realm } from '../directory/realms.ts'
import type { User } from '../directory/users.ts'
import { mailServerOf } from '../mail/mail-server.ts'
import type { Page } from '../pages/layout.ts'
import { confirmEmailPage } from '../pages/self-service-pages.ts'
import { type FormContext, newPasswordPage, otpPage, otpSetupPage, profilePage } from '../pages/sign-in-pages.ts'
import type { Db } from '../storage/database.ts'
import { mailConfirmation } from './email-steps.ts'
import { newOtpSecret, otpAddress, termsOf } from './otp.ts'
import { describeRules } from './policy-words.ts'
import { noteMail, type Progress, pendingSecret } from './progress.ts'
import type { Stage } from './stage.ts'

interface Asked {
  db: Db
  realm: Realm
  issuer: string
  /** The way of this person through the pages: an interaction, or that of a link. */
  way: string
  user: User
  progress: Progress
  form: FormContext
  /** A sentence about what was just done. */
  said?: string
}

async function otpSetup({ db, realm, way, user, form }: Asked): Promise<Page> {
  const secret = await pendingSecret(db, way, newOtpSecret())
  const terms = termsOf(realm.settings)
  const uri = otpAddress(secret, terms, realm.settings.displayName ?? realm.name, user.username)
  const { subType: type, algorithm, digits, period } = terms
  return otpSetupPage(form, { secret, uri, type, algorithm, digits, period })
}

/** Its first showing sends the mail. */
async function confirmEmail(asked: Asked): Promise<Page> {
  const { db, realm, way, user, form, said } = asked
  const problem = (await noteMail(db, way)) ? await mailConfirmation(asked) : undefined
  const shown = problem === undefined ? form : { ...form, error: problem }
  return confirmEmailPage(shown, user.email ?? '', mailServerOf(realm.settings) !== undefined, said)
}

/** Page of a stage in which the person is known; undefined when nothing is left to ask. */
export async function pageOfStage(stage: Stage, asked: Asked): Promise<Page | undefined> {
  const { realm, user, progress, form } = asked
  const { settings } = realm
  if (stage === 'otp') return otpPage(form)
  if (stage === 'UPDATE_PASSWORD') {
    const rules = describeRules(parsePolicy(settings.passwordPolicy))
    return newPasswordPage(form, user.username, rules, progress.actions !== null)
  }
  if (stage === 'CONFIGURE_TOTP') return otpSetup(asked)
  if (stage === 'VERIFY_EMAIL') return confirmEmail(asked)
  if (stage !== 'UPDATE_PROFILE') return undefined
  const { email, first_name, last_name } = user
  const username = settings.editUsernameAllowed ? user.username : undefined
  return profilePage(form, {
    ...{ username, email: email ?? '', firstName: first_name ?? '', lastName: last_name ?? '' },
  })
}
