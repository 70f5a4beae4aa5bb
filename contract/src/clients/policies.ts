import { holding, type Policies, role } from '../http/policy.ts'
import type { clientAdministration } from './administration.ts'
import type { clients } from './endpoints.ts'

const seesClients = holding(role('iam-roles', 'roles.view'))

export const clientPolicies: Policies<typeof clients> = {
  listClients: seesClients,
  getClient: seesClients,
  // A script's account is a user that comes with roles.
  createClient: holding(role('iam-users', 'users.create')),
  deleteClient: holding(role('iam-users', 'users.delete')),
}

// An application decides where people are sent with what they signed in for.
const changesSignIn = holding(role('iam-loginsettings', 'loginsettings.edit'))

export const clientAdministrationPolicies: Policies<typeof clientAdministration> = {
  findClients: seesClients,
  getClientDetail: seesClients,
  createApplication: changesSignIn,
  updateClient: changesSignIn,
  deleteApplication: changesSignIn,
  renewSecret: holding(role('iam-users', 'users.credentials.manage')),
  findClientSessions: holding(role('iam-users', 'users.sessions.view')),
}
