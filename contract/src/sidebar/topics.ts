import { signedIn } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const sidebarTopics = {
  // Each person hears of their own one alone.
  menu: { policy: signedIn, idIs: 'person' },
} satisfies Topics
