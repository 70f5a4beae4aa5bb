import { signedIn } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const notificationTopics = {
  // Tells only the person whose marks changed. The notices themselves follow the topics `apps` and `actions`.
  inbox: { policy: signedIn, idIs: 'person' },
} satisfies Topics
