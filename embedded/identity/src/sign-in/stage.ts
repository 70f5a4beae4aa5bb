import { nextRequiredAction, type RequiredAction } from './required-actions.ts'

export type Stage = 'password' | 'otp' | 'security-key' | RequiredAction | 'done'

interface StageFacts {
  /** Tells whether a right password, or a live session, has said who this is. */
  known: boolean
  hasOtp: boolean
  hasKey: boolean
  otpPassed: boolean
  requiredActions: readonly string[]
}

/** Next question of the sign-in. A second factor always comes before anything that changes the account. */
export function nextStage(facts: StageFacts): Stage {
  if (!facts.known) return 'password'
  if (facts.hasOtp && !facts.otpPassed) return 'otp'
  if (facts.hasKey && !facts.otpPassed) return 'security-key'
  return nextRequiredAction(facts.requiredActions) ?? 'done'
}

const stepsOfStage: Readonly<Record<Stage, readonly string[]>> = {
  password: ['password', 'passkey'],
  // Somebody with both kinds of second factor chooses.
  otp: ['otp', 'security-key'],
  'security-key': ['security-key'],
  UPDATE_PASSWORD: ['new-password'],
  CONFIGURE_TOTP: ['otp-setup'],
  UPDATE_PROFILE: ['profile'],
  VERIFY_EMAIL: ['verify-email'],
  'webauthn-register': ['set-up-webauthn'],
  'webauthn-register-passwordless': ['set-up-webauthn-passwordless'],
  done: [],
}

/** Tells whether a sent form belongs to the stage that is due: steps cannot be skipped by sending a later form. */
export const fits = (stage: Stage, step: string | null) => step !== null && stepsOfStage[stage].includes(step)
