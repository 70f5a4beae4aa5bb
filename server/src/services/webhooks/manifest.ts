import { webhookTopics } from '@quayside/contract/webhooks/topics'
import { createPoster } from '../../adapters/outgoing/post.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Deployments } from '../deployments/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Permissions } from '../permissions/index.ts'
import type { Spaces } from '../spaces/index.ts'
import { createCollect } from './collect.ts'
import { createWebhooks, type Webhooks } from './index.ts'
import { steps } from './migrations.ts'
import { createQueueStore } from './queue-store.ts'
import { routes } from './routes.ts'
import { createSender, createWebhookSecrets, placeOf } from './sender.ts'
import { createWebhookStore } from './store.ts'
import { createWorker } from './worker.ts'

interface Parts {
  db: Db
  log: Logger
  config: Config
  encryption: Encryption
  jobs: Jobs
  live: Live
  spaces: Spaces
  permissions: Permissions
  deployments: Deployments
  notifications: Notifications
  webhooks: { people: Webhooks; worker: ReturnType<typeof createWorker> }
}

export const webhooks = {
  name: 'webhooks',
  migrations: steps,
  sealed: [
    { table: 'webhook', column: 'address', place: (id) => placeOf(id, 'address') },
    { table: 'webhook', column: 'secret', place: (id) => placeOf(id, 'secret') },
  ],
  topics: webhookTopics,
  create({ db, log, config, encryption, jobs, live, permissions, deployments, notifications, spaces }) {
    const poster = createPoster(config)
    const secrets = createWebhookSecrets(encryption)
    const send = createSender(poster, secrets)
    const both = { send, changed: live.changed, portalUrl: config.url }
    const queue = createQueueStore(db)
    const { endedSince } = deployments
    return {
      people: createWebhooks({
        ...{ ...both, store: createWebhookStore(db), secrets, refuses: poster.refuses, rights: permissions.rights },
        holdsForGood: permissions.holdsForGood,
        spaceName: async (tenantId, id) => (await spaces.record(tenantId, id))?.displayName,
      }),
      worker: createWorker({
        ...{ ...both, db, log, jobs, queue },
        collect: createCollect({
          ...both,
          log,
          queue,
          endedSince,
          health: notifications.health,
          settleSeconds: config.outageSeconds,
        }),
      }),
    }
  },
  routes: (http, { webhooks }) => routes(http, webhooks.people),
  start: ({ webhooks }) => webhooks.worker.start(),
  drain: ({ webhooks }) => webhooks.worker.stop(),
} satisfies Manifest<Parts>
