import { countAttempt } from '../attack-detection/login-attempts.ts'
import { addOtpDevice, agreedPassword, otpDevicesOf, useStep } from '../directory/credentials.ts'
import { recordEvent } from '../directory/login-events.ts'
import type { Realm } from '../directory/realms.ts'
import { dropAction, type User, updateUser } from '../directory/users.ts'
import { Problem } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'
import { otpStep, readTerms, termsOf } from './otp.ts'
import { type Progress, passOtp, whileOnTheWay } from './progress.ts'
import { refusalText } from './refusal-text.ts'
import type { RequiredAction } from './required-actions.ts'

interface StepContext {
  db: Db
  realm: Realm
  interaction: string
  user: User
  progress: Progress
  form: URLSearchParams
  ip: string
}

/** Message about invalid input; undefined when the step is done. */
export type StepResult = Promise<string | undefined>

/** Does an action that is asked for, and strikes it off. */
function perform({ db, realm, user, interaction, ip }: StepContext, action: RequiredAction, work: Work): Promise<void> {
  const who = { realmId: realm.id, userId: user.id, interaction }
  const isDue = ({ required_actions }: User) => required_actions.includes(action)
  return whileOnTheWay(db, who, isDue, async (tx, now) => {
    await work(tx, now)
    await dropAction(tx, user.id, action)
    await recordEvent(tx, realm, { type: eventOf[action], userId: user.id, ipAddress: ip })
  })
}
type Work = (tx: Db, user: User) => Promise<void>

const eventOf = { UPDATE_PASSWORD: 'UPDATE_PASSWORD', CONFIGURE_TOTP: 'UPDATE_TOTP', UPDATE_PROFILE: 'UPDATE_PROFILE' }

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

export async function checkOtp(ctx: StepContext): StepResult {
  const { db, realm, user, ip } = ctx
  const problem = await otpProblem(db, realm, { user, code: ctx.form.get('otp') ?? '', ip })
  if (problem === undefined) await passOtp(db, ctx.interaction)
  return problem
}

export async function changePassword(ctx: StepContext): StepResult {
  const password = ctx.form.get('password-new') ?? ''
  if (password !== ctx.form.get('password-confirm')) return 'Passwords do not match.'
  try {
    const store = await agreedPassword(ctx.db, ctx.user, password, ctx.realm.settings.passwordPolicy)
    await perform(ctx, 'UPDATE_PASSWORD', store)
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return error.message
    throw error
  }
  return undefined
}

export async function setUpOtp(ctx: StepContext): StepResult {
  const secret = ctx.progress.pending_secret
  const terms = termsOf(ctx.realm.settings)
  const window = ctx.realm.settings.otpPolicyLookAheadWindow
  const step = secret === null ? undefined : otpStep(secret, terms, window, ctx.form.get('otp') ?? '', Date.now())
  if (secret === null || step === undefined) return 'Invalid authenticator code.'
  const label = (ctx.form.get('label') ?? '').trim().slice(0, 60) || 'Authenticator app'
  await perform(ctx, 'CONFIGURE_TOTP', async (tx) => {
    await addOtpDevice(tx, ctx.user.id, secret, label, { ...terms, counter: step + 1, lastStep: step })
    await passOtp(tx, ctx.interaction)
  })
  return undefined
}

export async function updateProfile(ctx: StepContext): StepResult {
  const read = (name: string) => (ctx.form.get(name) ?? '').trim()
  const { editUsernameAllowed } = ctx.realm.settings
  const sent = {
    ...(editUsernameAllowed ? { username: read('username') || ctx.user.username } : {}),
    ...{ email: read('email'), firstName: read('firstName'), lastName: read('lastName') },
  }
  if (!sent.email || !sent.firstName || !sent.lastName) return 'Please fill in every field.'
  try {
    await perform(ctx, 'UPDATE_PROFILE', async (tx, user) => {
      // Nobody has looked whether the new address is theirs.
      const unverified = sent.email.toLowerCase() === user.email ? {} : { emailVerified: false }
      await updateUser(tx, ctx.realm, user.id, { ...sent, ...unverified })
    })
  } catch (error) {
    if (error instanceof Problem) return `${error.message}.`
    throw error
  }
  return undefined
}
