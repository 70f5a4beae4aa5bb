import type { menu } from '@quayside/contract/menu'
import type { portalApi } from '@quayside/contract/portal-api'
import { type Policies, role, signedIn } from '../../kernel/policy.ts'

// The wizards ask for spaces on behalf of people who deploy, or upgrade, without managing spaces.
const deploys = { section: 'catalog-apps', role: 'catalog.deploy' } as const
const manages = { section: 'catalog-apps', role: 'catalog.deployments.manage' } as const
const seeSpaces = role('spaces', 'access', deploys, manages)
// Of a deployed app only those who manage; of one that was only assigned also those who deploy it.
const changeApps = role(manages.section, manages.role, deploys)
const seeApps = role('apps', 'access')

export const policies: Policies<typeof portalApi> = {
  limits: signedIn,
  tenantByRealm: signedIn,
  listSpaces: seeSpaces,
  getSpace: seeSpaces,
  createSpace: role('apps', 'apps.create'),
  updateSpace: role('apps', 'apps.create'),
  deleteSpace: role('apps', 'apps.create'),
  listApps: seeApps,
  getApp: seeApps,
  patchApp: changeApps,
  addAppTag: changeApps,
  removeAppTag: changeApps,
  scopes: signedIn,
}

/** Everybody has a side bar of their own; what may be pinned to it is asked when it is pinned. */
export const menuPolicies: Policies<typeof menu> = {
  getMenu: signedIn,
  addMenuGroup: signedIn,
  renameMenuGroup: signedIn,
  deleteMenuGroup: signedIn,
  addMenuEntry: signedIn,
  orderMenuEntries: signedIn,
  deleteMenuEntry: signedIn,
}
