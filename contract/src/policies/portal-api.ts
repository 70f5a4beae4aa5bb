import type { accessRequests } from '../access-requests.ts'
import type { explaining } from '../explain.ts'
import type { menu } from '../menu.ts'
import type { permissions } from '../permissions.ts'
import { filtered, holding, inPlace, type Policies, role, signedIn } from '../policy.ts'
import type { portalApi } from '../portal-api.ts'

// space.deploy is enough to change and delete an app that was only assigned; a deployed app needs app.manage.
const changeApp = inPlace('app', 'params.id', ['app.manage', 'space.deploy'], { also: ['app.manage'] })

export const portalApiPolicies: Policies<typeof portalApi> = {
  limits: signedIn,
  tenantByRealm: filtered('space.view'),
  listSpaces: filtered('space.view'),
  getSpace: inPlace('space', 'params.id', 'space.view'),
  createSpace: holding(role('apps', 'apps.create')),
  updateSpace: inPlace('space', 'params.id', 'space.edit'),
  deleteSpace: inPlace('space', 'params.id', 'space.delete'),
  listApps: filtered('app.view'),
  getApp: inPlace('app', 'params.id', 'app.view'),
  patchApp: changeApp,
  addAppTag: changeApp,
  removeAppTag: changeApp,
  scopes: signedIn,
}

const members = inPlace('space', 'params.id', 'space.members')
const definesRoles = holding(role('spaces', 'spaces.manage'))

export const permissionPolicies: Policies<typeof permissions> = {
  myScopes: signedIn,
  listPermissions: inPlace('space', 'params.id', 'space.view'),
  addPermission: members,
  changePermission: members,
  deletePermission: members,
  permissionHistory: members,
  listMembers: members,
  findPrincipals: members,
  findFirstMembers: holding(role('apps', 'apps.create')),
  listSpaceRoles: signedIn,
  createSpaceRole: definesRoles,
  updateSpaceRole: definesRoles,
  deleteSpaceRole: definesRoles,
}

export const accessRequestPolicies: Policies<typeof accessRequests> = {
  requestAccess: inPlace('space', 'params.id', 'space.view'),
  listMyRequests: signedIn,
  listRequests: filtered('space.members'),
  answerRequest: inPlace('request', 'params.id', 'space.members'),
  // Their own one; that of somebody else does not exist for them.
  withdrawRequest: signedIn,
}

/** Everybody may ask; things that the caller may not see are answered as if they did not exist. */
export const explainPolicies: Policies<typeof explaining> = { explain: signedIn }

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
