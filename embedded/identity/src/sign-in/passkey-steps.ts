import { countAttempt, type Refusal } from '../attack-detection/login-attempts.ts'
import { recordEvent } from '../directory/login-events.ts'
import { findUser, type User } from '../directory/users.ts'
import { Problem } from '../http/problem.ts'
import { type Ceremony, checkKey, namedKey, takeNewKey } from '../passkeys/ceremonies.ts'
import type { PasskeyKind } from '../passkeys/policy.ts'
import { passOtp } from './progress.ts'
import { refusalText } from './refusal-text.ts'
import { perform, type StepContext, type StepResult } from './step-context.ts'

const notTaken = 'That did not work. Try again, or with another device.'
const actionOf = { webauthn: 'webauthn-register', 'webauthn-passwordless': 'webauthn-register-passwordless' } as const

/** Keeps the key that a device has made for its owner. */
export const setUpKey =
  (kind: PasskeyKind) =>
  async (ctx: StepContext): StepResult => {
    const label =
      (ctx.form.get('label') ?? '').trim().slice(0, 60) || (kind === 'webauthn' ? 'Security key' : 'Passkey')
    try {
      await perform(ctx, actionOf[kind], async (now) => {
        const isTaken = await takeNewKey(now, { user: now.user, kind, text: ctx.form.get('answer'), label })
        if (!isTaken) throw new Problem(400, { error: notTaken })
        if (kind === 'webauthn') await passOtp(now.db, ctx.interaction, now.user.id, 'hwk')
      })
    } catch (error) {
      if (error instanceof Problem && error.status === 400) return error.message
      throw error
    }
    return undefined
  }

type Tried = Parameters<typeof countAttempt>[1]['tried']

/** Refuses somebody who is locked out; an answer of a key is counted as an attempt like any other, before it is checked. */
function refusalOf({ db, realm }: Ceremony, tried: Tried, ip: string): Promise<Refusal | undefined> {
  return countAttempt(db, { settings: realm.settings, realmId: realm.id, tried, ip })
}

/** Checks the security key that comes after the password. */
export async function checkSecurityKey(ctx: StepContext): StepResult {
  const refusal = await refusalOf(ctx, { userId: ctx.user.id }, ctx.ip)
  if (refusal) return refusalText(refusal)
  const key = await checkKey(ctx, ctx.form.get('answer'), 'webauthn')
  if (key?.userId === ctx.user.id) {
    await passOtp(ctx.db, ctx.interaction, ctx.user.id, 'hwk')
    return undefined
  }
  const event = { type: 'LOGIN_ERROR', userId: ctx.user.id, ipAddress: ctx.ip, error: 'invalid_user_credentials' }
  await recordEvent(ctx.db, ctx.realm, event)
  return notTaken
}

type Verdict = { user: User; userVerified: boolean } | { problem: string; refusal?: Refusal }

/** Finds out by a passkey alone who somebody is. */
export async function checkPasskey(ceremony: Ceremony, form: URLSearchParams, ip: string): Promise<Verdict> {
  const { db, realm } = ceremony
  const answer = form.get('answer')
  const { id, userId } = await namedKey(ceremony, answer)
  const refusal = await refusalOf(ceremony, userId === undefined ? { unknownName: `key:${id}` } : { userId }, ip)
  const key = refusal ? undefined : await checkKey(ceremony, answer, 'webauthn-passwordless')
  const user = key && (await findUser(db, realm.id, key.userId))
  if (key && user?.enabled) return { user, userVerified: key.userVerified }
  const error = refusal ? 'user_temporarily_disabled' : 'invalid_user_credentials'
  await recordEvent(db, realm, { type: 'LOGIN_ERROR', userId, ipAddress: ip, error })
  return refusal ? { problem: refusalText(refusal), refusal } : { problem: notTaken }
}
