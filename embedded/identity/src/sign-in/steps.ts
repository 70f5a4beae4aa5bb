import { countAttempt } from '../attack-detection/login-attempts.ts'
import { unlinkAll } from '../brokering/identities.ts'
import { addOtpDevice, agreedPassword, otpDevicesOf, removeCredentials, useStep } from '../directory/credentials.ts'
import { recordEvent } from '../directory/login-events.ts'
import type { Realm } from '../directory/realms.ts'
import { dropActionTokens, endSessionsOfUser } from '../directory/sessions.ts'
import { noteTypedEmail, type User, updateUser } from '../directory/users.ts'
import { Problem } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'
import { confirmLater, mailNewAddress } from './email-steps.ts'
import { otpStep, readTerms, termsOf } from './otp.ts'
import { checkSecurityKey, setUpKey } from './passkey-steps.ts'
import { passOtp, startProgress, timeNow } from './progress.ts'
import { refusalText } from './refusal-text.ts'
import { isNoName, unfitName } from './registration.ts'
import { perform, type StepContext, type StepResult } from './step-context.ts'

interface OtpAttempt {
  user: User
  code: string
  ip: string
}

/** Checks a one-time code under the same brake as a password. Gives what is wrong, undefined when nothing is. */
export async function otpProblem(db: Db, realm: Realm, { user, code, ip }: OtpAttempt): StepResult {
  const counted = { settings: realm.settings, realmId: realm.id, tried: { userId: user.id }, ip }
  const refusal = await countAttempt(db, counted)
  if (refusal) return refusalText(refusal)
  for (const device of await otpDevicesOf(db, user.id)) {
    const terms = readTerms(device.data, realm.settings)
    const step = otpStep(device.secret, terms, realm.settings.otpPolicyLookAheadWindow, code, Date.now())
    const used = typeof device.data.lastStep === 'number' ? device.data.lastStep : -1
    const isReusable = realm.settings.otpPolicyCodeReusable
    if (step === undefined || (!isReusable && step <= used)) continue
    if (!(await useStep(db, device.id, step, isReusable))) continue
    return undefined
  }
  await recordEvent(db, realm, {
    type: 'LOGIN_ERROR',
    userId: user.id,
    ipAddress: ip,
    error: 'invalid_user_credentials',
  })
  return 'Invalid authenticator code.'
}

async function checkOtp(ctx: StepContext): StepResult {
  const { db, realm, user, ip } = ctx
  const problem = await otpProblem(db, realm, { user, code: ctx.form.get('otp') ?? '', ip })
  if (problem === undefined) await passOtp(db, ctx.interaction, user.id, 'otp')
  return problem
}

async function changePassword(ctx: StepContext): StepResult {
  const password = ctx.form.get('password-new') ?? ''
  if (password !== ctx.form.get('password-confirm')) return 'Passwords do not match.'
  try {
    const store = await agreedPassword(ctx.db, ctx.user, password, ctx.realm.settings.passwordPolicy)
    await perform(ctx, 'UPDATE_PASSWORD', async (now) => {
      await store(now.db)
      // A link for a password that somebody was given before is worth nothing any more.
      await dropActionTokens(now.db, now.user.id)
      if (now.progress.actions === null) return
      await endOthers(now)
      // Nobody who had set up another way in by a link, or for a while as its owner, keeps it.
      await removeCredentials(now.db, now.user.id, ['webauthn-passwordless'])
      await unlinkAll(now.db, now.user.id)
    })
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return error.message
    throw error
  }
  return undefined
}

/** Ends every session, which somebody may have who knows the old password, while this way goes on. */
async function endOthers({ db, realm, interaction, user, progress }: StepContext): Promise<void> {
  await endSessionsOfUser(db, realm.id, user.id)
  await startProgress(db, interaction, realm.id, {
    ...{ userId: user.id, otpPassed: progress.otp_passed, remember: false, since: (await timeNow(db)) + 0.001 },
    amr: progress.amr,
    ...{ actions: (progress.actions ?? []).filter((action) => action !== 'UPDATE_PASSWORD') },
    returnTo: progress.return_to,
    rolesWhenRead: progress.roles_when_read,
  })
}

async function setUpOtp(ctx: StepContext): StepResult {
  const secret = ctx.progress.pending_secret
  const terms = termsOf(ctx.realm.settings)
  const window = ctx.realm.settings.otpPolicyLookAheadWindow
  const step = secret === null ? undefined : otpStep(secret, terms, window, ctx.form.get('otp') ?? '', Date.now())
  if (secret === null || step === undefined) return 'Invalid authenticator code.'
  const label = (ctx.form.get('label') ?? '').trim().slice(0, 60) || 'Authenticator app'
  await perform(ctx, 'CONFIGURE_TOTP', async ({ db, user, interaction }) => {
    await addOtpDevice(db, user.id, secret, label, { ...terms, counter: step + 1, lastStep: step })
    await passOtp(db, interaction, user.id, 'otp')
  })
  return undefined
}

async function updateProfile(ctx: StepContext): StepResult {
  const read = (name: string) => (ctx.form.get(name) ?? '').trim()
  const { editUsernameAllowed } = ctx.realm.settings
  const sent = {
    ...(editUsernameAllowed ? { username: read('username') || ctx.user.username } : {}),
    ...{ email: read('email'), firstName: read('firstName'), lastName: read('lastName') },
  }
  if (!sent.email || !sent.firstName || !sent.lastName) return 'Please fill in every field.'
  if (isNoName(sent.firstName) || isNoName(sent.lastName)) return unfitName
  try {
    await perform(ctx, 'UPDATE_PROFILE', (now) => changeProfile(now, sent))
  } catch (error) {
    if (error instanceof Problem) return `${error.message}.`
    throw error
  }
  return undefined
}

async function changeProfile(now: StepContext, { email, ...others }: { email: string }): Promise<void> {
  const isNew = email.toLowerCase() !== now.user.email
  // A confirmed address stays until the new one is confirmed as well.
  const waits = isNew && now.realm.settings.verifyEmail && now.user.email_verified
  if (waits) await mailNewAddress(now, email)
  const changed = waits ? others : { ...others, email, ...(isNew ? { emailVerified: false } : {}) }
  await updateUser(now.db, now.realm, now.user.id, changed)
  if (isNew && !waits) await noteTypedEmail(now.db, now.user.id)
}

/** Forms of somebody who is known, by the name that each carries. */
export const steps: Readonly<Record<string, (ctx: StepContext) => StepResult>> = {
  otp: checkOtp,
  'new-password': changePassword,
  'otp-setup': setUpOtp,
  profile: updateProfile,
  'verify-email': confirmLater,
  'security-key': checkSecurityKey,
  'set-up-webauthn': setUpKey('webauthn'),
  'set-up-webauthn-passwordless': setUpKey('webauthn-passwordless'),
}
