import { holding, type Policies, role, somewhere } from '../http/policy.ts'
import type { groups } from './endpoints.ts'

// The install wizard asks for groups on behalf of people who deploy without managing them.
const seesGroups = somewhere(['space.deploy'], role('iam-groups', 'groups.view'))

export const groupPolicies: Policies<typeof groups> = {
  listGroups: seesGroups,
  getGroup: seesGroups,
  countMembers: seesGroups,
  groupMembers: holding(role('iam-groups', 'groups.view')),
}
