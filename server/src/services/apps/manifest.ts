import { appTopics } from '@quayside/contract/apps/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Clusters } from '../clusters/index.ts'
import { createApps } from './index.ts'
import { type AppRoutes, routes } from './routes.ts'
import { appPlaces } from './store.ts'

interface Parts extends AppRoutes {
  db: Db
  clusters: Clusters
  catalog: Catalog
}

export const apps = {
  name: 'apps',
  topics: appTopics,
  places: { app: appPlaces },
  create: (parts) =>
    createApps(parts.db, {
      clusterNames: (tenantId) => parts.clusters.names(tenantId),
      newestVersions: (tenantId) => parts.catalog.newestVersions(tenantId),
    }),
  routes,
} satisfies Manifest<Parts>
