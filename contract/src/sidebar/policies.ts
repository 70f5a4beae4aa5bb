import { type Policies, signedIn } from '../http/policy.ts'
import type { sidebar } from './endpoints.ts'

/** Everybody has a side bar of their own; what may be pinned to it is asked when it is pinned. */
export const sidebarPolicies: Policies<typeof sidebar> = {
  getMenu: signedIn,
  addMenuGroup: signedIn,
  renameMenuGroup: signedIn,
  deleteMenuGroup: signedIn,
  addMenuEntry: signedIn,
  orderMenuEntries: signedIn,
  deleteMenuEntry: signedIn,
}
