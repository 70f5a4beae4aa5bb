import { costAllocation } from '@quayside/contract/cost/allocation'
import { costBudget } from '@quayside/contract/cost/budget'
import { costEstimate } from '@quayside/contract/cost/estimate'
import {
  costAllocationPolicies,
  costBudgetPolicies,
  costEstimatePolicies,
  costPricePolicies,
} from '@quayside/contract/cost/policies'
import { costPrices } from '@quayside/contract/cost/prices'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Cost } from './index.ts'
import type { createAllocations } from './ledger/allocations.ts'

export function routes(http: Http, cost: Cost & { allocation: ReturnType<typeof createAllocations> }): void {
  serve(http, costPrices, costPricePolicies, {
    getPrices: ({ actor, params }) => cost.prices(actor.tenantId, params.id),
    setPrices: ({ actor, params, body }) => cost.setPrices(actor, params.id, body),
    getRates: async ({ actor }) => ({ data: await cost.rates(actor.tenantId) }),
    setRates: async ({ actor, body }) => ({ data: await cost.setRates(actor.tenantId, body.data) }),
  })
  serve(http, costEstimate, costEstimatePolicies, {
    estimate: ({ actor, body }) => cost.estimate(actor, body),
  })
  serve(http, costBudget, costBudgetPolicies, {
    getBudget: async ({ actor, params }) => ({ budget: await cost.budget(actor.tenantId, params.id) }),
    setBudget: async ({ actor, params, body }) => ({ budget: await cost.setBudget(actor, params.id, body.budget) }),
  })
  serve(http, costAllocation, costAllocationPolicies, {
    allocation: ({ actor, query, access }) => cost.allocation(actor, query, access.spacesWith('app.view')),
  })
}
