import { filtered } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const permissionTopics = {
  requests: { policy: filtered('space.view'), listsSpaces: true },
} satisfies Topics
