import type { iam } from '../iam.ts'
import { holding, type Policies, role, signedIn, somewhere } from '../policy.ts'

const seesUsers = holding(role('iam-users', 'users.view'))
// The install wizard asks for groups and roles on behalf of people who deploy without managing them.
const seesGroups = somewhere(['space.deploy'], role('iam-groups', 'groups.view'))
const seesRoles = somewhere(['space.deploy'], role('iam-roles', 'roles.view'))

export const iamPolicies: Policies<typeof iam> = {
  account: signedIn,
  accountSessions: signedIn,
  logout: signedIn,
  listUsers: seesUsers,
  findUsers: seesUsers,
  getUser: seesUsers,
  userGroups: holding(role('iam-users', 'users.groups.view')),
  listGroups: seesGroups,
  getGroup: seesGroups,
  countMembers: seesGroups,
  groupMembers: holding(role('iam-groups', 'groups.view')),
  listRoles: seesRoles,
  listClients: holding(role('iam-roles', 'roles.view')),
  getClient: holding(role('iam-roles', 'roles.view')),
  // A script's account is a user that comes with roles.
  createClient: holding(role('iam-users', 'users.create')),
  deleteClient: holding(role('iam-users', 'users.delete')),
}
