import { filtered } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const deploymentTopics = {
  actions: { policy: filtered('app.view'), listsSpaces: true },
} satisfies Topics
