import type { CostEstimateInput, Estimate } from '@quayside/contract/cost/estimate'
import type { ClusterPrices, PriceSheetInput, Rate } from '@quayside/contract/cost/prices'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Clusters } from '../clusters/index.ts'
import type { Deployments } from '../deployments/index.ts'
import { estimateOf } from './estimate/price-estimate.ts'
import { shownIn } from './prices/money.ts'
import type { PriceStore } from './prices/store.ts'

interface CostDeps {
  store: PriceStore
  clusters: Pick<Clusters, 'demands'>
  deployments: Pick<Deployments, 'render'>
  mustKnowCluster(tenantId: string, clusterId: string): Promise<void>
  /** The currency that somebody has chosen; null: none. */
  currencyOf(actor: Actor): Promise<string | null>
}

/** Prices of clusters, exchange rates, and what deployments would cost. Rights are asked for before. */
export function createCost({ store, clusters, deployments, mustKnowCluster, currencyOf }: CostDeps) {
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
      if (problem !== null) return { ...found, lines, unpriced, monthly: null, delta: null, problem }
      return { ...found, lines, unpriced, problem }
    },
  }
}
export type Cost = ReturnType<typeof createCost>
