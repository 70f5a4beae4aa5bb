import { scalingPolicies } from '@quayside/contract/clusters/policies'
import { scaling as endpoints } from '@quayside/contract/clusters/scaling'
import type { Http } from '../../../platform/http/http.ts'
import { serve } from '../../../platform/http/route.ts'
import type { Deployments } from '../../deployments/index.ts'
import type { Clusters } from '../index.ts'
import { nodePools, resizePool } from './node-pools.ts'

/** A change of a workload is an action of the ledger, so that it never meets a Helm on the same release. */
export function scalingRoutes(http: Http, clusters: Clusters, deployments: Deployments): void {
  serve(http, endpoints, scalingPolicies, {
    limitsOfApp: ({ actor, params }) => clusters.limitsOf(actor.tenantId, params.id),
    setLimits: ({ actor, body: { appId, ...limits }, request }) =>
      deployments.changeWorkload(actor, appId, { set: 'limits', ...limits }, request),
    scale: ({ actor, body: { appId, ...scale }, request }) =>
      deployments.changeWorkload(actor, appId, { set: 'replicas', ...scale }, request),
    restart: ({ actor, body: { appId, ...restart }, request }) =>
      deployments.changeWorkload(actor, appId, { set: 'restart', ...restart }, request),
    nodePools: async ({ actor, params }) => nodePools(await clusters.connection(actor.tenantId, params.id)),
    async resize({ actor, body, reply }) {
      const connection = await clusters.connection(actor.tenantId, body.clusterId)
      const said = await resizePool(connection, body.pool, body.count)
      clusters.resized(actor, body)
      return reply.type('text/plain; charset=utf-8').send(said)
    },
  })
}
