import { holding, type Policies, role } from '../http/policy.ts'
import type { users } from './endpoints.ts'
import type { lockouts } from './lockouts.ts'

const seesUsers = holding(role('iam-users', 'users.view'))

export const userPolicies: Policies<typeof users> = {
  listUsers: seesUsers,
  findUsers: seesUsers,
  getUser: seesUsers,
  userGroups: holding(role('iam-users', 'users.groups.view')),
}

const editsUsers = holding(role('iam-users', 'users.edit'))

export const lockoutPolicies: Policies<typeof lockouts> = {
  findLockouts: seesUsers,
  unlockUser: editsUsers,
  listLockedAddresses: seesUsers,
  unlockAddress: editsUsers,
  listUnlockings: seesUsers,
}
