import type { Budget } from '@quayside/contract/cost/budget'
import type { CostEstimateInput, Estimate } from '@quayside/contract/cost/estimate'
import type { ClusterPrices, PriceSheetInput, Rate } from '@quayside/contract/cost/prices'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Clusters } from '../clusters/index.ts'
import type { Deployments } from '../deployments/index.ts'
import { compareBudget, type Running } from './budget/compare.ts'
import type { BudgetStore } from './budget/store.ts'
import { estimateOf } from './estimate/price-estimate.ts'
import { shownIn } from './prices/money.ts'
import type { PriceStore } from './prices/store.ts'

interface CostDeps {
  store: PriceStore
  budgets: BudgetStore
  /** The cost of a space in the last hours. */
  running(actor: Actor, spaceId: string): Promise<Running>
  clusters: Pick<Clusters, 'demands'>
  deployments: Pick<Deployments, 'render'>
  mustKnowCluster(tenantId: string, clusterId: string): Promise<void>
  /** The currency that somebody has chosen; null: none. */
  currencyOf(actor: Actor): Promise<string | null>
}

/** Prices of clusters, exchange rates, and what deployments would cost. Rights are asked for before. */
export function createCost({ store, budgets, running, clusters, deployments, mustKnowCluster, currencyOf }: CostDeps) {
  async function prices(tenantId: string, clusterId: string): Promise<ClusterPrices> {
    await mustKnowCluster(tenantId, clusterId)
    const sheets = await store.sheets(tenantId, [clusterId])
    return { clusterId, data: sheets }
  }

  return {
    prices,

    async setPrices(actor: Actor, clusterId: string, sheet: PriceSheetInput): Promise<ClusterPrices> {
      await mustKnowCluster(actor.tenantId, clusterId)
      const outcome = await store.add(actor, clusterId, sheet)
      if (outcome === 'past') throw fail('cost.past-prices', { field: 'validFrom' })
      if (outcome === 'too-many') throw fail('cost.too-many-sheets')
      return prices(actor.tenantId, clusterId)
    },

    budget: (tenantId: string, spaceId: string): Promise<Budget | null> => budgets.of(tenantId, spaceId),

    async setBudget(
      actor: Actor,
      spaceId: string,
      budget: Pick<Budget, 'amount' | 'currency'> | null,
    ): Promise<Budget | null> {
      await budgets.set(actor, spaceId, budget)
      return budgets.of(actor.tenantId, spaceId)
    },

    rates: (tenantId: string): Promise<Rate[]> => store.rates(tenantId),

    async setRates(tenantId: string, rates: readonly Omit<Rate, 'source'>[]): Promise<Rate[]> {
      await store.setRates(tenantId, rates)
      return store.rates(tenantId)
    },

    async estimate(actor: Actor, { versionId, ...body }: CostEstimateInput): Promise<Estimate> {
      const { tenantId } = actor
      const { app, objects, deployed, problem, hide } = await deployments.render(actor, versionId, body)
      const { clusterId, namespace } = app
      const [[next, before], sheets, rates, wanted] = await Promise.all([
        clusters.demands({ tenantId, clusterId, namespace }, deployed ? [objects, deployed] : [objects]),
        store.sheets(tenantId, [clusterId]),
        store.rates(tenantId),
        currencyOf(actor),
      ])
      const now = new Date().toISOString()
      const sheet = sheets.find(({ validFrom }) => validFrom <= now)
      const shown = sheet && shownIn(wanted, sheet.currency, rates)
      const nothing = { demands: [], leftOut: [] }
      const found = estimateOf(next ?? nothing, before, sheet, shown)
      const said = <T extends { object: string }>(one: T): T => ({ ...one, object: hide(one.object) })
      const [lines, unpriced] = [
        found.lines.map(said),
        found.unpriced.map((one) => ({ ...said(one), container: one.container && hide(one.container) })),
      ]
      if (problem !== null) return { ...found, lines, unpriced, monthly: null, delta: null, budget: null, problem }
      const budget = await budgets.of(tenantId, app.spaceId)
      const compared = budget && compareBudget(budget, found, await running(actor, app.spaceId), rates)
      return { ...found, lines, unpriced, budget: compared, problem }
    },
  }
}
export type Cost = ReturnType<typeof createCost>
