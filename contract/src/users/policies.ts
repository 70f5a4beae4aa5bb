import { holding, type Policies, role } from '../http/policy.ts'
import type { users } from './endpoints.ts'

const seesUsers = holding(role('iam-users', 'users.view'))

export const userPolicies: Policies<typeof users> = {
  listUsers: seesUsers,
  findUsers: seesUsers,
  getUser: seesUsers,
  userGroups: holding(role('iam-users', 'users.groups.view')),
}
