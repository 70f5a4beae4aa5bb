import { signedIn } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const dashboardTopics = {
  // Tells no id: pages read again what their person sees.
  dashboards: { policy: signedIn },
  // Stars and the choice of Home, which each person hears of their own alone.
  ownDashboards: { policy: signedIn, idIs: 'person' },
} satisfies Topics
