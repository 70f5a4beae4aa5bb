import { countAttempt } from '../attack-detection/login-attempts.ts'
import { addOtpDevice, otpDevicesOf, setPassword, updateCredentialData } from '../directory/credentials.ts'
import { recordEvent } from '../directory/login-events.ts'
import type { Realm } from '../directory/realms.ts'
import { endSessionsOfUser } from '../directory/sessions.ts'
import { setRequiredActions, type User, updateUser } from '../directory/users.ts'
import { Problem } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'
import { confirmLater, mailNewAddress } from './email-steps.ts'
import { otpStep, readTerms, termsOf } from './otp.ts'
import { finishAction, type Progress, passOtp, startProgress, timeNow } from './progress.ts'
import { refusalText } from './refusal-text.ts'

interface StepContext {
  db: Db
  realm: Realm
  issuer: string
  interaction: string
  user: User
  progress: Progress
  form: URLSearchParams
  ip: string
}

/** Message about invalid input; undefined when the step is done. */
type StepResult = Promise<string | undefined>

async function done({ db, user, interaction }: StepContext, action: string): Promise<void> {
  await setRequiredActions(
    db,
    user.id,
    user.required_actions.filter((entry) => entry !== action),
  )
  await finishAction(db, interaction, action)
}

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
    if (step === undefined || (!realm.settings.otpPolicyCodeReusable && step <= used)) continue
    await updateCredentialData(db, device.id, { ...device.data, counter: step + 1, lastStep: step })
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
  if (problem === undefined) await passOtp(db, ctx.interaction)
  return problem
}

async function changePassword(ctx: StepContext): StepResult {
  const password = ctx.form.get('password-new') ?? ''
  if (password !== ctx.form.get('password-confirm')) return 'Passwords do not match.'
  try {
    await ctx.db.transaction(async (db) => {
      await setPassword(db, ctx.user, password, ctx.realm.settings.passwordPolicy)
      await done({ ...ctx, db }, 'UPDATE_PASSWORD')
      if (ctx.progress.actions !== null) await endOthers({ ...ctx, db })
    })
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return error.message
    throw error
  }
  await recordEvent(ctx.db, ctx.realm, { type: 'UPDATE_PASSWORD', userId: ctx.user.id, ipAddress: ctx.ip })
  return undefined
}

/** Ends every session, which somebody may have who knows the old password, while this way goes on. */
async function endOthers({ db, realm, interaction, user, progress }: StepContext): Promise<void> {
  await endSessionsOfUser(db, realm.id, user.id)
  await startProgress(db, interaction, realm.id, {
    ...{ userId: user.id, otpPassed: progress.otp_passed, remember: false, since: (await timeNow(db)) + 0.001 },
    ...{ actions: (progress.actions ?? []).filter((action) => action !== 'UPDATE_PASSWORD') },
    returnTo: progress.return_to,
  })
}

async function setUpOtp(ctx: StepContext): StepResult {
  const secret = ctx.progress.pending_secret
  const terms = termsOf(ctx.realm.settings)
  const window = ctx.realm.settings.otpPolicyLookAheadWindow
  const step = secret === null ? undefined : otpStep(secret, terms, window, ctx.form.get('otp') ?? '', Date.now())
  if (secret === null || step === undefined) return 'Invalid authenticator code.'
  const label = (ctx.form.get('label') ?? '').trim().slice(0, 60) || 'Authenticator app'
  await addOtpDevice(ctx.db, ctx.user.id, secret, label, { ...terms, counter: step + 1, lastStep: step })
  await passOtp(ctx.db, ctx.interaction)
  await done(ctx, 'CONFIGURE_TOTP')
  await recordEvent(ctx.db, ctx.realm, { type: 'UPDATE_TOTP', userId: ctx.user.id, ipAddress: ctx.ip })
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
  const isNew = sent.email.toLowerCase() !== ctx.user.email
  // A confirmed address stays until the new one is confirmed as well.
  const waits = isNew && ctx.realm.settings.verifyEmail && ctx.user.email_verified
  const { email, ...others } = sent
  const changed = waits ? others : { ...others, email, ...(isNew ? { emailVerified: false } : {}) }
  try {
    if (waits) await mailNewAddress(ctx, email)
    await updateUser(ctx.db, ctx.realm, ctx.user, changed)
  } catch (error) {
    if (error instanceof Problem) return `${error.message}.`
    throw error
  }
  await done(ctx, 'UPDATE_PROFILE')
  await recordEvent(ctx.db, ctx.realm, { type: 'UPDATE_PROFILE', userId: ctx.user.id, ipAddress: ctx.ip })
  return undefined
}

/** Forms of somebody who is known, by the name that each carries. */
export const steps: Readonly<Record<string, (ctx: StepContext) => StepResult>> = {
  otp: checkOtp,
  'new-password': changePassword,
  'otp-setup': setUpOtp,
  profile: updateProfile,
  'verify-email': confirmLater,
}
