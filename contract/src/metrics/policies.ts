import { holding, inPlace, type Policies, role } from '../http/policy.ts'
import type { metrics } from './endpoints.ts'

// Names and figures of pods tell what runs in a space, as its apps do.
export const metricsPolicies: Policies<typeof metrics> = {
  appUsage: inPlace('app', 'params.id', 'app.view'),
  spaceUsage: inPlace('space', 'params.id', 'app.view'),
  clusterUsage: holding(role('clusters', 'clusters.view')),
}
