import type { menu } from '@quayside/contract/menu'
import type { portalApi } from '@quayside/contract/portal-api'
import { type Policies, role, signedIn } from '../../kernel/policy.ts'

const seeSpaces = role('spaces', 'access')
const seeApps = role('apps', 'access')

export const policies: Policies<typeof portalApi> = {
  limits: signedIn,
  tenantByRealm: signedIn,
  // The wizard asks for spaces on behalf of people who may deploy without managing spaces.
  listSpaces: role('spaces', 'access', { section: 'catalog-apps', role: 'catalog.deploy' }),
  getSpace: seeSpaces,
  createSpace: role('apps', 'apps.create'),
  updateSpace: role('apps', 'apps.create'),
  deleteSpace: role('apps', 'apps.create'),
  listApps: seeApps,
  getApp: seeApps,
  patchApp: role('catalog-apps', 'catalog.deployments.manage'),
  addAppTag: role('catalog-apps', 'catalog.deployments.manage'),
  removeAppTag: role('catalog-apps', 'catalog.deployments.manage'),
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
