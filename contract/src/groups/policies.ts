import { holding, type Policies, role, somewhere } from '../http/policy.ts'
import type { defaultGroups, groups } from './endpoints.ts'

// The install wizard asks for groups on behalf of people who deploy without managing them.
const seesGroups = somewhere(['space.deploy'], role('iam-groups', 'groups.view'))

const editsGroups = holding(role('iam-groups', 'groups.edit'))

export const groupPolicies: Policies<typeof groups> = {
  listGroups: seesGroups,
  getGroup: seesGroups,
  countMembers: seesGroups,
  groupMembers: holding(role('iam-groups', 'groups.view')),
  findMembers: holding(role('iam-groups', 'groups.view')),
  createGroup: holding(role('iam-groups', 'groups.create')),
  createSubGroup: holding(role('iam-groups', 'groups.create')),
  updateGroup: editsGroups,
  moveGroup: editsGroups,
  moveGroupToTop: editsGroups,
  deleteGroup: holding(role('iam-groups', 'groups.delete')),
}

const managesDefaults = holding(role('iam-groups', 'groups.default_groups.manage'))

export const defaultGroupPolicies: Policies<typeof defaultGroups> = {
  listDefaultGroups: holding(role('iam-groups', 'groups.default_groups.view')),
  addDefaultGroup: managesDefaults,
  removeDefaultGroup: managesDefaults,
}
