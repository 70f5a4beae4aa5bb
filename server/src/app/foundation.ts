import { sql } from 'kysely'
import { createHelm } from '../adapters/helm/create-helm.ts'
import { createKeycloak } from '../adapters/keycloak/keycloak.ts'
import type { Config } from '../platform/config/config.ts'
import { armFailpoints } from '../platform/config/failpoints.ts'
import { type Db, openDb } from '../platform/db/db.ts'
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
  if (await isBeyondRowSecurity(db))
    log.warn(
      'the role of DATABASE_URL is a superuser or bypasses row-level security, which then keeps no tenants apart',
    )
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
async function isBeyondRowSecurity(db: Db): Promise<boolean> {
  const { rows } = await db.platform((trx) =>
    sql<{
      isSo: boolean
    }>`select rolsuper or rolbypassrls as "isSo" from pg_roles where rolname = current_user`.execute(trx),
  )
  return rows[0]?.isSo === true
}
export type Foundation = Awaited<ReturnType<typeof openFoundation>>
