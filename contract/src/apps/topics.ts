import { filtered } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const appTopics = {
  app: { policy: filtered('app.view'), place: 'app' },
  apps: { policy: filtered('app.view'), listsSpaces: true },
} satisfies Topics
