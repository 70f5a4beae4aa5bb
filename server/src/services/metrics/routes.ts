import { metrics as endpoints } from '@quayside/contract/metrics/endpoints'
import { metricsPolicies } from '@quayside/contract/metrics/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Metrics } from './index.ts'

export function routes(http: Http, metrics: Metrics): void {
  serve(http, endpoints, metricsPolicies, {
    appUsage: ({ actor, params, query }) => metrics.app(actor.tenantId, params.id, query),
    spaceUsage: ({ actor, params, query }) => metrics.space(actor.tenantId, params.id, query),
    clusterUsage: ({ actor, params, query }) => metrics.cluster(actor.tenantId, params.id, query),
  })
}
