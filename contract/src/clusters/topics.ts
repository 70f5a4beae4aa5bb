import { filtered, holding, role, signedIn } from '../http/policy.ts'
import type { Topics } from '../live/topic-rule.ts'

export const clusterTopics = {
  // Tells only that some cluster changed; which one is told to those who may see clusters.
  clusters: { policy: signedIn, idFor: [role('clusters', 'clusters.view')] },
  cluster: { policy: holding(role('clusters', 'clusters.view')) },
  approvals: { policy: filtered('app.view') },
} satisfies Topics
