import { holding, type Policies, role } from '../http/policy.ts'
import type { clients } from './endpoints.ts'

const seesClients = holding(role('iam-roles', 'roles.view'))

export const clientPolicies: Policies<typeof clients> = {
  listClients: seesClients,
  getClient: seesClients,
  // A script's account is a user that comes with roles.
  createClient: holding(role('iam-users', 'users.create')),
  deleteClient: holding(role('iam-users', 'users.delete')),
}
