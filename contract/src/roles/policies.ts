import { type Policies, role, somewhere } from '../http/policy.ts'
import type { roles } from './endpoints.ts'

export const rolePolicies: Policies<typeof roles> = {
  // The install wizard asks for roles on behalf of people who deploy without managing them.
  listRoles: somewhere(['space.deploy'], role('iam-roles', 'roles.view')),
}
