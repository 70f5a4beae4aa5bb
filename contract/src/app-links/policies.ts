import { holding, type Policies, role, signedIn } from '../http/policy.ts'
import type { appLinks } from './endpoints.ts'

// Links lie in no space, and the role that opens the page of apps shows nothing by itself: everybody of the tenant reads
// them. Who makes spaces for the tenant keeps its links.
const keeps = holding(role('apps', 'apps.create'))

export const appLinkPolicies: Policies<typeof appLinks> = {
  listAppLinks: signedIn,
  addAppLink: keeps,
  changeAppLink: keeps,
  deleteAppLink: keeps,
  addAppLinkTag: keeps,
  removeAppLinkTag: keeps,
}
