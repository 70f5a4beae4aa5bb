import { signedIn } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const appLinkTopics = {
  'app-links': { policy: signedIn },
} satisfies Topics
