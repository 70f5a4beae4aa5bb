import { nextRequiredAction, type RequiredAction } from './required-actions.ts'

export type Stage = 'password' | 'otp' | RequiredAction | 'done'

interface StageFacts {
  /** Tells whether a right password, or a live session, has said who this is. */
  known: boolean
  hasOtp: boolean
  otpPassed: boolean
  requiredActions: readonly string[]
}

/** Next question of the sign-in. A second factor always comes before anything that changes the account. */
export function nextStage(facts: StageFacts): Stage {
  if (!facts.known) return 'password'
  if (facts.hasOtp && !facts.otpPassed) return 'otp'
  return nextRequiredAction(facts.requiredActions) ?? 'done'
}

const stepOfStage: Readonly<Record<Stage, string>> = {
  password: 'password',
  otp: 'otp',
  UPDATE_PASSWORD: 'new-password',
  CONFIGURE_TOTP: 'otp-setup',
  UPDATE_PROFILE: 'profile',
  VERIFY_EMAIL: 'verify-email',
  done: '',
}

/** Tells whether a sent form belongs to the stage that is due: steps cannot be skipped by sending a later form. */
export const fits = (stage: Stage, step: string | null) => stepOfStage[stage] === step
