import { type Policies, signedIn } from '../http/policy.ts'
import type { currency } from './currency.ts'
import type { account } from './endpoints.ts'

/** Everybody's own account; no call names anybody else. */
export const accountPolicies: Policies<typeof account> = {
  account: signedIn,
  updateAccount: signedIn,
  resetPassword: signedIn,
  resetMyPassword: signedIn,
  setUpSecondFactor: signedIn,
  changeEmail: signedIn,
  setUpPasskey: signedIn,
  removePasskey: signedIn,
  accountCredentials: signedIn,
  linkedIdentities: signedIn,
  unlinkIdentity: signedIn,
  accountSessions: signedIn,
  accountSession: signedIn,
  endSession: signedIn,
  activities: signedIn,
  accountConsents: signedIn,
  accountConsent: signedIn,
  revokeConsent: signedIn,
  logout: signedIn,
}

export const currencyPolicies: Policies<typeof currency> = { getCurrency: signedIn, setCurrency: signedIn }
