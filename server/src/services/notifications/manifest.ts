import { notificationTopics } from '@quayside/contract/notifications/topics'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Deployments } from '../deployments/index.ts'
import type { Permissions } from '../permissions/index.ts'
import type { PersonalTokenService } from '../personal-tokens/index.ts'
import { createNotifications, type Notifications } from './index.ts'
import { steps } from './migrations.ts'
import { createOutages } from './outages.ts'
import { createPeopleStore } from './people-store.ts'
import { routes } from './routes.ts'

interface Parts {
  db: Db
  jobs: Jobs
  live: Live
  config: Config
  permissions: Permissions
  deployments: Deployments
  'personal-tokens': PersonalTokenService
  notifications: Notifications
}

export const notifications = {
  name: 'notifications',
  migrations: steps,
  topics: notificationTopics,
  create: ({ db, jobs, live, config, permissions, deployments, 'personal-tokens': tokens }) =>
    createNotifications({
      ...{ db, jobs, live, rights: permissions.rights, people: createPeopleStore(db) },
      outages: createOutages(db, config.outageSeconds),
      failures: deployments.failures,
      expiring: tokens.expiring,
    }),
  routes: (http, { notifications }) => routes(http, notifications),
  start: ({ notifications }) => notifications.start(),
} satisfies Manifest<Parts>
