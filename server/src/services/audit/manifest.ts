import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { type Audit, createAudit } from './index.ts'
import { steps } from './migrations.ts'
import { routes } from './routes.ts'

interface Parts {
  db: Db
  jobs: Jobs
  config: Config
  log: Logger
  audit: Audit
}

export const audit = {
  name: 'audit',
  migrations: steps,
  create: createAudit,
  routes: (http, parts) => routes(http, parts.audit, parts.log),
  start: (parts) => parts.audit.start(),
} satisfies Manifest<Parts>
