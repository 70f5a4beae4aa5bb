import { catalogTopics } from '@quayside/contract/catalog/topics'
import { createPictureFetcher } from '../../adapters/pictures/fetch-picture.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Apps } from '../apps/index.ts'
import type { Deployments } from '../deployments/index.ts'
import type { Permissions } from '../permissions/index.ts'
import { type Catalog, createCatalog } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'
import { placeOf } from './sources/sign-in.ts'

interface Parts {
  db: Db
  config: Config
  log: Logger
  encryption: Encryption
  jobs: Jobs
  live: Live
  permissions: Permissions
  apps: Apps
  deployments: Deployments
  catalog: Catalog
}

export const catalog = {
  name: 'catalog',
  migrations: steps,
  sealed: [{ table: 'catalog_source', column: 'secret', place: placeOf }],
  topics: catalogTopics,
  create(parts) {
    const { db, config, log, encryption, jobs, live, permissions, apps } = parts
    return createCatalog({
      ...{ db, config, log, encryption, jobs },
      fetchPicture: createPictureFetcher(config.allowedAddresses),
      changed: live.changed,
      deployedCounts: (tenantId, within) =>
        apps.deployedByItem(tenantId, (appIds) => parts.deployments.begun(tenantId, appIds), within),
      async itemOfApp(actor, appId) {
        if (!(await permissions.rights.at(actor, 'app', [appId])).has(appId)) return undefined
        return (await apps.record(actor.tenantId, appId))?.catalogItemId
      },
      iconFound: apps.showIcon,
    })
  },
  routes: (http, { catalog }) => routes(http, catalog),
  start: ({ catalog }) => catalog.start(),
  drain: async ({ catalog }) => catalog.sources.stop(),
} satisfies Manifest<Parts>
