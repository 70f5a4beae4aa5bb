import { filtered, role, signedIn } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const permissionTopics = {
  requests: { policy: filtered('space.view'), listsSpaces: true },
  // Tells whoever has asked only that some request for a role of the tenant changed.
  'role-requests': { policy: signedIn, idFor: [role('iam-users', 'users.roles.manage')] },
} satisfies Topics
