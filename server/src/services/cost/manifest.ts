import { fetchEcbFile } from '../../adapters/exchange-rates/ecb.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import { unlessUnderWay } from '../../platform/db/exclusive.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { OwnAccount } from '../account/own-account.ts'
import type { Apps } from '../apps/index.ts'
import type { Clusters } from '../clusters/index.ts'
import type { Deployments } from '../deployments/index.ts'
import type { Metrics } from '../metrics/manifest.ts'
import type { Spaces } from '../spaces/index.ts'
import { createBudgetStore } from './budget/store.ts'
import { type Cost, createCost } from './index.ts'
import { createAllocations } from './ledger/allocations.ts'
import { takenIn } from './ledger/round.ts'
import { createLedgerStore } from './ledger/store.ts'
import { steps } from './migrations.ts'
import { createPriceStore } from './prices/store.ts'
import { routes } from './routes.ts'

interface Parts {
  db: Db
  config: Config
  log: Logger
  jobs: Jobs
  spaces: Spaces
  apps: Apps
  clusters: Clusters
  metrics: Metrics
  deployments: Deployments
  account: { own: OwnAccount }
  cost: Cost & { allocation: ReturnType<typeof createAllocations> }
}
const betweenRatesMs = 3_600_000
const betweenTidyingMs = 6 * 3_600_000

export const cost = {
  name: 'cost',
  migrations: steps,
  create({ db, config, spaces, apps, clusters, metrics, deployments, account }) {
    const [store, ledger] = [createPriceStore(db), createLedgerStore(db)]
    const currencyOf = async (actor: Actor) => (await account.own.currency(actor)).currency
    metrics.onRound((round) => ledger.add(round, takenIn(round), config.metricsSeconds))
    const allocation = createAllocations({
      ...{ ledger, prices: store, currencyOf, clusters, spaces, apps },
      isMeasured: metrics.collector !== undefined,
    })
    const cost = createCost({
      ...{ store, clusters, deployments, currencyOf, budgets: createBudgetStore(db) },
      async running(actor, spaceId) {
        const of = {
          window: '3h',
          aggregate: 'space',
          accumulate: 'true',
          includeIdle: 'false',
          shareIdle: 'false',
        } as const
        const { data, currency, measuredMinutes } = await allocation(actor, { ...of, spaceId }, undefined)
        return { cost: data[0]?.[spaceId]?.totalCost ?? null, currency, minutes: measuredMinutes[0] ?? 0 }
      },
      async mustKnowCluster(tenantId, clusterId) {
        await clusters.row(tenantId, clusterId)
      },
    })
    return { ...cost, allocation }
  },
  routes: (http, { cost }) => routes(http, cost),
  start({ jobs, db, config: { exchangeRatesUrl }, log }) {
    jobs.every(betweenTidyingMs, () => unlessUnderWay(db.pool, 'hours of cost', createLedgerStore(db).tidy))
    if (exchangeRatesUrl === undefined) return
    const store = createPriceStore(db)
    const load = async () => {
      try {
        const { asOf, perEuro } = await fetchEcbFile(exchangeRatesUrl)
        await store.loadRates(asOf, perEuro)
      } catch (error) {
        log.warn({ err: error }, 'exchange rates were not loaded; the ones from before stay')
      }
    }
    jobs.every(betweenRatesMs, () => unlessUnderWay(db.pool, 'exchange rates', load))
  },
} satisfies Manifest<Parts>
