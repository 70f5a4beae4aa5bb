import { clusterRulePolicies } from '@quayside/contract/clusters/policies'
import { clusterRules } from '@quayside/contract/clusters/rules'
import type { Http } from '../../../platform/http/http.ts'
import { serve } from '../../../platform/http/route.ts'
import type { Connections } from '../registry/connections.ts'
import { spacesShownOnCluster } from '../spaces-shown-on-cluster.ts'
import type { OutsideOfSpaces } from './index.ts'

/** Lists of clusters, requests for more, and what keeps spaces apart there. */
export function outsideRoutes(http: Http, outside: OutsideOfSpaces, clusterOf: Connections['row']): void {
  const { rules, approvals, isolation } = outside
  serve(http, clusterRules, clusterRulePolicies, {
    async listRules({ actor, params }) {
      await clusterOf(actor.tenantId, params.id)
      return { data: await rules.list(actor.tenantId, params.id) }
    },
    async addRule({ actor, params, body }) {
      await clusterOf(actor.tenantId, params.id)
      return rules.add(actor, params.id, body)
    },
    async removeRule({ actor, params }) {
      await clusterOf(actor.tenantId, params.id)
      await rules.remove(actor.tenantId, params.id, params.rule)
    },
    listApprovals: ({ actor, query, access }) =>
      approvals.list(actor, query, access.spacesWith('app.view'), '/cluster/v1/approvals'),
    getApproval: ({ actor, params, access }) => approvals.get(actor, params.id, access.spacesWith('app.view')),
    answerApproval: ({ actor, params, body }) => approvals.answer(actor, params.id, body),
    withdrawApproval: ({ actor, params, access }) =>
      approvals.withdraw(actor, params.id, access.spacesWith('app.view')),
    endApproval: ({ actor, params }) => approvals.end(actor, params.id),
    async listSpacesOn({ actor, params, access }) {
      await clusterOf(actor.tenantId, params.id)
      const seen = {
        within: spacesShownOnCluster(actor, access, 'space.view'),
        showsApps: spacesShownOnCluster(actor, access, 'app.view'),
      }
      return { data: await isolation.list(actor.tenantId, params.id, seen) }
    },
    elevationOfSpace: async ({ actor, params }) => ({
      data: await outside.held.elevatedOn(actor.tenantId, params.id),
    }),
    async changeSpaceOn({ actor, params, body }) {
      await clusterOf(actor.tenantId, params.id)
      return isolation.change(actor, params.id, params.spaceId, body)
    },
  })
}
