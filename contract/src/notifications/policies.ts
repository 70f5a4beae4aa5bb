import { filtered, type Policies, signedIn } from '../http/policy.ts'
import type { notifications } from './endpoints.ts'

export const notificationPolicies: Policies<typeof notifications> = {
  listNotices: filtered('app.view'),
  // Marks and choices are the caller's own.
  markNotice: signedIn,
  readNotices: signedIn,
  subscriptions: signedIn,
  setSubscriptions: signedIn,
}
