import { fetchEcbFile } from '../../adapters/exchange-rates/ecb.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import { unlessUnderWay } from '../../platform/db/exclusive.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { OwnAccount } from '../account/own-account.ts'
import type { Clusters } from '../clusters/index.ts'
import type { Deployments } from '../deployments/index.ts'
import { type Cost, createCost } from './index.ts'
import { steps } from './migrations.ts'
import { createPriceStore } from './prices/store.ts'
import { routes } from './routes.ts'

interface Parts {
  db: Db
  config: Config
  log: Logger
  jobs: Jobs
  clusters: Clusters
  deployments: Deployments
  account: { own: OwnAccount }
  cost: Cost
}
const betweenRatesMs = 3_600_000

export const cost = {
  name: 'cost',
  migrations: steps,
  create: ({ db, clusters, deployments, account }) =>
    createCost({
      ...{ store: createPriceStore(db), clusters, deployments },
      async mustKnowCluster(tenantId, clusterId) {
        await clusters.row(tenantId, clusterId)
      },
      currencyOf: async (actor) => (await account.own.currency(actor)).currency,
    }),
  routes: (http, { cost }) => routes(http, cost),
  start({ jobs, db, config: { exchangeRatesUrl }, log }) {
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
