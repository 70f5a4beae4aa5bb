import { sql } from 'kysely'
import { createHelm } from '../adapters/helm/create-helm.ts'
import { createKeycloak } from '../adapters/keycloak/keycloak.ts'
import type { Config } from '../platform/config/config.ts'
import { armFailpoints } from '../platform/config/failpoints.ts'
import { openDb } from '../platform/db/db.ts'
import { createExclusive } from '../platform/db/exclusive.ts'
import { migrate } from '../platform/db/migrate.ts'
import { untilDatabaseAnswers } from '../platform/db/start.ts'
import { createEncryption } from '../platform/encryption/encryption.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { createLogger } from '../platform/logging/logger.ts'
import { migrations } from './capabilities.ts'

/** Opens the database, brought up to date, and the doors that several services go through. */
export async function openFoundation(config: Config) {
  const log = createLogger(config.logLevel)
  armFailpoints(config.failpoints)
  const db = openDb(config.databaseUrl, log)
  await untilDatabaseAnswers(() => db.platform((trx) => sql`select 1`.execute(trx)), log)
  await migrate(db, migrations)
  return {
    config,
    log,
    db,
    exclusive: createExclusive(db),
    jobs: await createJobs(config.databaseUrl, log),
    encryption: createEncryption(config.secretKey, config.otherSecretKey),
    helm: await createHelm({ config, log }),
    keycloak: createKeycloak(config.keycloak),
  }
}
export type Foundation = Awaited<ReturnType<typeof openFoundation>>
