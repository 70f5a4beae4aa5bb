import { holding, type Policies, role } from '../http/policy.ts'
import type { groupRealmRoles, heldRolesOf, userRealmRoles } from './endpoints.ts'

const ofUsers = {
  sees: holding(role('iam-users', 'users.roles.view')),
  manages: holding(role('iam-users', 'users.roles.manage')),
}
const ofGroups = {
  sees: holding(role('iam-groups', 'groups.roles.view')),
  manages: holding(role('iam-groups', 'groups.roles.manage')),
}

const policies = ({ sees, manages }: typeof ofUsers) => ({
  assigned: sees,
  available: sees,
  effective: sees,
  assign: manages,
  unassign: manages,
})

export const userRolePolicies: Policies<typeof userRealmRoles> = policies(ofUsers)
export const groupRolePolicies: Policies<typeof groupRealmRoles> = policies(ofGroups)
export const heldRolePolicies: Policies<typeof heldRolesOf> = { rolesOfUser: ofUsers.sees, rolesOfGroup: ofGroups.sees }
