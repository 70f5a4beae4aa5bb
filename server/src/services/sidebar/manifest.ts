import { sidebarTopics } from '@quayside/contract/sidebar/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Apps } from '../apps/index.ts'
import type { Dashboards } from '../dashboards/manifest.ts'
import type { Permissions } from '../permissions/index.ts'
import type { Spaces } from '../spaces/index.ts'
import { createSidebar, type Sidebar } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'

interface Parts {
  db: Db
  live: Live
  permissions: Permissions
  spaces: Spaces
  apps: Apps
  sidebar: Sidebar
  dashboards: Dashboards
}

export const sidebar = {
  name: 'sidebar',
  migrations: steps,
  topics: sidebarTopics,
  create(parts) {
    const { db, live, permissions, spaces, apps } = parts
    return createSidebar(db, {
      rights: permissions.rights,
      changed: live.changed,
      dashboardNames: (actor, ids) => parts.dashboards.documents.names(actor, ids),
      clusterNamesFor: spaces.clusterNamesFor,
      spaceName: async (tenantId, id) => (await spaces.record(tenantId, id))?.displayName,
      appName: async (tenantId, id) => (await apps.record(tenantId, id))?.displayName,
    })
  },
  routes: (http, { sidebar }) => routes(http, sidebar),
} satisfies Manifest<Parts>
