import { holding, type Policies, role, somewhere } from '../http/policy.ts'
import type { clientRoles } from './client-roles.ts'
import type { defaultRoles, roles } from './endpoints.ts'

const seesRoles = holding(role('iam-roles', 'roles.view'))
const editsRoles = holding(role('iam-roles', 'roles.edit'))

export const rolePolicies: Policies<typeof roles> = {
  // The install wizard asks for roles on behalf of people who deploy without managing them.
  listRoles: somewhere(['space.deploy'], role('iam-roles', 'roles.view')),
  findRoles: seesRoles,
  getRole: seesRoles,
  createRole: holding(role('iam-roles', 'roles.create')),
  updateRole: editsRoles,
  deleteRole: holding(role('iam-roles', 'roles.delete')),
  addParts: editsRoles,
  removeParts: editsRoles,
  roleUsers: seesRoles,
  findRoleUsers: seesRoles,
}

const seesDefaults = holding(role('iam-roles', 'roles.default_roles.view'))
const managesDefaults = holding(role('iam-roles', 'roles.default_roles.manage'))

export const defaultRolePolicies: Policies<typeof defaultRoles> = {
  listDefaultRoles: seesDefaults,
  listOtherRoles: seesDefaults,
  addDefaultRoles: managesDefaults,
  removeDefaultRoles: managesDefaults,
  listClientRoles: seesRoles,
  createClientRole: holding(role('iam-roles', 'roles.create')),
  listClientDefaultRoles: seesDefaults,
  listOtherClientRoles: seesDefaults,
  addClientDefaultRoles: managesDefaults,
  removeClientDefaultRoles: managesDefaults,
}

export const clientRolePolicies: Policies<typeof clientRoles> = {
  updateClientRole: editsRoles,
  deleteClientRole: holding(role('iam-roles', 'roles.delete')),
  findClientRoleUsers: seesRoles,
}
