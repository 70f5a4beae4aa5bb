import { createPrometheus } from '../../adapters/prometheus/prometheus.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Apps } from '../apps/index.ts'
import type { Clusters } from '../clusters/index.ts'
import type { Deployments } from '../deployments/index.ts'
import type { Spaces } from '../spaces/index.ts'
import { createCollections } from './collections.ts'
import { createCollector, type SeenRound } from './collector/collector.ts'
import { createMetrics } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'
import { createCollectionStore } from './store.ts'
import { createUsage } from './usage.ts'

interface Parts {
  db: Db
  config: Config
  log: Logger
  jobs: Jobs
  apps: Apps
  spaces: Spaces
  clusters: Clusters
  deployments: Deployments
  metrics: Metrics
}
const longestBeatMs = 5000
const beatsPerRound = 3

export const metrics = {
  name: 'metrics',
  migrations: steps,
  create,
  routes: (http, { metrics }) => routes(http, metrics.reads),
  start({ jobs, config, metrics: { collector } }) {
    const beatMs = Math.min(longestBeatMs, (config.metricsSeconds * 1000) / beatsPerRound)
    if (collector) jobs.every(beatMs, collector.collectDue)
  },
  drain: async ({ metrics: { collector } }, maxWaitMs) => collector?.drain(maxWaitMs),
} satisfies Manifest<Parts>

function create({ db, config, log, apps, spaces, clusters, deployments }: Omit<Parts, 'metrics'>) {
  const store = createCollectionStore(db)
  const everySeconds = config.metricsSeconds
  const prometheus = config.prometheus && createPrometheus(config.prometheus)
  const collections = createCollections({
    ...{ store, everySeconds, hasPrometheus: prometheus !== undefined },
    clusterNames: clusters.names,
  })
  const usage = createUsage({ prometheus, everySeconds, apps, collections })
  const reads = createMetrics({
    ...{ usage, apps, spaces, deployments },
    async mustKnowCluster(tenantId, clusterId) {
      await clusters.row(tenantId, clusterId)
    },
  })
  const listeners: ((round: SeenRound) => Promise<void>)[] = []
  /** Metrics arrive whatever becomes of others who listen. */
  const tell = async (round: SeenRound) => {
    for (const listener of listeners)
      await listener(round).catch((error: unknown) =>
        log.warn({ err: error, clusterId: round.clusterId }, 'a round of the collector was not noted'),
      )
  }
  const collector =
    prometheus && createCollector({ store, prometheus, everySeconds, clusters, spaces, apps, log, tell })
  return { reads, collector, onRound: (listener: (round: SeenRound) => Promise<void>) => listeners.push(listener) }
}
export type Metrics = ReturnType<typeof create>
