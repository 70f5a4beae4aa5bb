import type { Tries } from './tries.ts'
import type { Team } from './two-teams.ts'

const longAgo = '2020-01-01T00:00:00Z'

/** Calls of the space of a team. */
export function spaceTries({ space, clusterId }: Team): Tries {
  const ofSpace = { id: space.id }
  const unknownCluster = { displayName: 'Taken', clusterIds: ['nothing'] }
  return {
    'GET /portal-api/v2/spaces': { shows: space.id },
    'GET /portal-api/v3/spaces/:id': { params: ofSpace, shows: space.namespace },
    'POST /portal-api/v3/spaces': {
      body: { displayName: 'Taken' },
      mild: { body: unknownCluster },
      isEmptyAbroad: true,
    },
    'PUT /portal-api/v3/spaces/:id': {
      params: ofSpace,
      body: { displayName: 'Taken', clusterIds: [clusterId] },
      mild: { params: ofSpace, body: unknownCluster },
    },
    'PUT /portal-api/v3/spaces/:id/freeze': {
      params: ofSpace,
      body: { reason: 'Taken' },
      mild: { params: ofSpace, body: { reason: 'Taken', until: longAgo } },
    },
    'DELETE /portal-api/v3/spaces/:id/freeze': { params: ofSpace },
    'DELETE /portal-api/v3/spaces/:id': { params: ofSpace },
  }
}
