import type { iam } from '@quayside/contract/iam'
import { type Policies, role, signedIn } from '../../kernel/policy.ts'

const seeUsers = role('iam-users', 'users.view')
// The install wizard asks for groups and roles on behalf of people who deploy without managing them.
const seeGroups = role('iam-groups', 'groups.view', { section: 'catalog-apps', role: 'catalog.deploy' })
const seeRoles = role('iam-roles', 'roles.view', { section: 'catalog-apps', role: 'catalog.deploy' })

export const policies: Policies<typeof iam> = {
  account: signedIn,
  accountSessions: signedIn,
  logout: signedIn,
  listUsers: seeUsers,
  findUsers: seeUsers,
  getUser: seeUsers,
  userGroups: role('iam-users', 'users.groups.view'),
  listGroups: seeGroups,
  getGroup: seeGroups,
  countMembers: seeGroups,
  groupMembers: role('iam-groups', 'groups.view'),
  listRoles: seeRoles,
  listClients: role('iam-roles', 'roles.view'),
  getClient: role('iam-roles', 'roles.view'),
  // A script's account is a user that comes with roles.
  createClient: role('iam-users', 'users.create'),
  deleteClient: role('iam-users', 'users.delete'),
}
