import { filtered, holding, inPlace, type Policies, role, signedIn } from '../http/policy.ts'
import type { accessRequests } from './access-requests.ts'
import type { permissions } from './endpoints.ts'
import type { explaining } from './explain.ts'
import type { roleRequests } from './role-requests.ts'

const members = inPlace('space', 'params.id', 'space.members')
const definesRoles = holding(role('spaces', 'spaces.manage'))

export const permissionPolicies: Policies<typeof permissions> = {
  scopes: signedIn,
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

const managesRoles = holding(role('iam-users', 'users.roles.manage'))

export const roleRequestPolicies: Policies<typeof roleRequests> = {
  requestRole: signedIn,
  listRoleRequests: managesRoles,
  answerRoleRequest: managesRoles,
  listRoleGrants: managesRoles,
  endRoleGrant: managesRoles,
  roleHistory: managesRoles,
}

/** Everybody may ask; things that the caller may not see are answered as if they did not exist. */
export const explainPolicies: Policies<typeof explaining> = { explain: signedIn }
