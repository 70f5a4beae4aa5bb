import type { Tries } from './tries.ts'
import type { Team } from './two-teams.ts'

const nothing = 'nothing'

/** Changes of running workloads and of node pools. */
export function scalingTries(app: Team['app'], clusterId: string): Tries {
  const web = { appId: app.id, kind: 'Deployment', name: app.releaseName ?? '' }
  const limits = { requests: { cpu: '1', memory: null }, limits: { cpu: null, memory: null } }
  return {
    'GET /cluster/v1/apps/limits/:id': { params: { id: app.id } },
    'POST /cluster/v1/apps/set.limits': {
      body: { ...web, ...limits, container: 'web' },
      mild: { body: { ...web, ...limits, name: nothing, container: nothing } },
    },
    'POST /cluster/v1/action/apps.scale': {
      body: { ...web, replicas: 3 },
      mild: { body: { ...web, name: nothing, replicas: 3 } },
    },
    'POST /cluster/v1/action/apps.restart': { body: web, mild: { body: { ...web, name: nothing } } },
    'GET /cluster/v1/clusters/:id/nodePools': { params: { id: clusterId } },
    'POST /cluster/v1/action/cluster.resize': {
      body: { clusterId, pool: 'sandbox', count: 2 },
      mild: { body: { clusterId, pool: nothing, count: 2 } },
    },
  }
}
