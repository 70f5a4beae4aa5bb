import { filtered, type Policies, signedIn } from '../http/policy.ts'
import type { notifications } from './endpoints.ts'

export const notificationPolicies: Policies<typeof notifications> = {
  listNotices: filtered('app.view'),
  // Everybody marks and chooses for themselves alone.
  markNotice: signedIn,
  readNotices: signedIn,
  subscriptions: signedIn,
  setSubscriptions: signedIn,
}
