import type { Tries } from './tries.ts'
import type { Team } from './two-teams.ts'

/** Reads of what a team's things use. */
export function metricsTries({ app, space, clusterId }: Team): Tries {
  return {
    'GET /metrics-dashboard/v1/apps/:id/usage': { params: { id: app.id } },
    'GET /metrics-dashboard/v1/spaces/:id/usage': { params: { id: space.id } },
    'GET /metrics-dashboard/v1/clusters/:id/usage': { params: { id: clusterId } },
  }
}
