import { signedIn } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const notificationTopics = {
  // Each person hears of their own marks alone; what they are told of is told by the topics of apps and actions.
  inbox: { policy: signedIn, idIs: 'person' },
} satisfies Topics
