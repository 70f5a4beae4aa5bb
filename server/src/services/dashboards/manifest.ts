import { dashboardTopics } from '@quayside/contract/dashboards/topics'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Apps } from '../apps/index.ts'
import type { Clusters } from '../clusters/index.ts'
import type { Deployments } from '../deployments/index.ts'
import type { Directory } from '../directory/index.ts'
import type { Metrics } from '../metrics/manifest.ts'
import type { Permissions } from '../permissions/index.ts'
import { createHome } from './home.ts'
import { createDashboards, createFind } from './index.ts'
import { createConfigurations } from './library/configurations.ts'
import { createWidgets } from './library/widgets.ts'
import { steps } from './migrations.ts'
import { createOrphans } from './orphans.ts'
import { createAnswer } from './panels/answer.ts'
import { createPanels } from './panels/panels.ts'
import { createPermissionLists } from './permission-list.ts'
import { createPresence } from './presence.ts'
import { routes } from './routes.ts'
import { createDashboardStore } from './store.ts'

interface Parts {
  db: Db
  config: Config
  log: Logger
  live: Live
  jobs: Jobs
  directory: Directory
  permissions: Permissions
  apps: Apps
  clusters: Clusters
  deployments: Deployments
  metrics: Metrics
  dashboards: Dashboards
}
const betweenTidyingMs = 60 * 60_000

export const dashboards = {
  name: 'dashboards',
  migrations: steps,
  topics: dashboardTopics,
  create,
  routes: (http, parts) => routes(http, parts.dashboards),
  start({ jobs, dashboards: { documents } }) {
    jobs.every(betweenTidyingMs, async () => void (await documents.emptyTrash()))
  },
} satisfies Manifest<Parts>

function create({
  db,
  config,
  log,
  live,
  directory,
  permissions,
  apps,
  clusters,
  deployments,
  metrics,
}: Omit<Parts, 'dashboards'>) {
  const store = createDashboardStore(db)
  const find = createFind(store)
  const changed = (tenantId: string) => live.changed(tenantId, 'dashboards')
  const changedFor = ({ tenantId, userId }: Actor) => live.changed(tenantId, 'ownDashboards', userId)
  const { rights } = permissions
  const { principals } = directory
  const presence = createPresence(principals)
  permissions.onAccessChanged(({ spaceId }) => spaceId === undefined && presence.forget())
  const configurations = createConfigurations(db, { rights, changed })
  return {
    documents: createDashboards(store, find, {
      ...{ orphans: createOrphans(db, store, { presence, changed }), principals, changed },
      changedFor,
    }),
    permissionLists: createPermissionLists(db, find, {
      ...{ principals, changed, endingRoles: permissions.endingRoles },
    }),
    widgets: createWidgets(db, changed),
    configurations,
    home: createHome(db, store, find, {
      requireConfirmation: config.requireConfirmationForDefaultHome,
      changedFor,
    }),
    answer: createAnswer(
      store,
      find,
      createPanels({ log, rights, apps, clusters, deployments, metrics: metrics.reads, configurations }),
    ),
  }
}
export type Dashboards = ReturnType<typeof create>
