import { type Policies, signedIn } from '../http/policy.ts'
import type { account } from './endpoints.ts'

export const accountPolicies: Policies<typeof account> = {
  account: signedIn,
  accountSessions: signedIn,
  logout: signedIn,
}
