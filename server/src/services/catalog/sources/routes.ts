import { catalogSourcePolicies } from '@quayside/contract/catalog/policies'
import { catalogSources as endpoints } from '@quayside/contract/catalog/sources'
import type { Http } from '../../../platform/http/http.ts'
import { serve } from '../../../platform/http/route.ts'
import type { Sources } from './index.ts'

export function sourceRoutes(http: Http, sources: Sources): void {
  serve(http, endpoints, catalogSourcePolicies, {
    listSources: ({ actor }) => sources.list(actor.tenantId),
    getSource: ({ actor, params }) => sources.get(actor.tenantId, params.id),
    testSource: ({ actor, body }) => sources.test(actor.tenantId, body),
    addSource: ({ actor, body }) => sources.add(actor, body),
    changeSource: ({ actor, params, body }) => sources.change(actor, params.id, body),
    deleteSource: ({ actor, params, query }) => sources.remove(actor.tenantId, params.id, query.items),
    synchroniseSource: ({ actor, params }) => sources.synchronise(actor, params.id),
    listSourceRuns: ({ actor, params }) => sources.runs(actor.tenantId, params.id),
    getSourceRun: ({ actor, params }) => sources.run(actor.tenantId, params.id, params.runId),
  })
}
