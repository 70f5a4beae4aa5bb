import { appLinkTopics } from '@quayside/contract/app-links/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Live } from '../../platform/live/live.ts'
import { type AppLinks, createAppLinks } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'

interface Parts {
  db: Db
  live: Live
  'app-links': AppLinks
}

export const appLinks = {
  name: 'app-links',
  migrations: steps,
  topics: appLinkTopics,
  create: ({ db, live }) => createAppLinks(db, (tenantId) => live.changed(tenantId, 'app-links')),
  routes: (http, parts) => routes(http, parts['app-links']),
} satisfies Manifest<Parts>
