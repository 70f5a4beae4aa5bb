import type { Scope } from '@quayside/contract/permissions/scopes'
import type { Helm } from '../../adapters/helm/helm.ts'
import type { Rights } from '../../platform/auth/rights.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Apps } from '../apps/index.ts'
import type { Sidebar } from '../sidebar/index.ts'
import type { Spaces } from '../spaces/index.ts'
import type { AccessPort, CatalogPort, ClustersPort } from './ports.ts'

/** Everything that a deployment needs of others. */
export interface DeploymentDeps {
  db: Db
  config: Pick<Config, 'dataDir' | 'deployTimeoutSeconds' | 'leaseSeconds' | 'ledgerDays' | 'waitingHelms'>
  log: Logger
  encryption: Encryption
  jobs: Jobs
  live: Live
  helm: Helm
  catalog: CatalogPort
  spaces: Pick<
    Spaces,
    'record' | 'remove' | 'leave' | 'mustHaveLeft' | 'mustUse' | 'mustNotBeFrozen' | 'leaveCluster' | 'usersOf'
  >
  apps: Pick<Apps, 'find' | 'record' | 'list' | 'byIds' | 'create' | 'patchRecord' | 'remove'>
  sidebar: Pick<Sidebar, 'pinsOfApp' | 'removePinsOfApp'>
  clusters: ClustersPort
  access: AccessPort
  rights: Rights
  /**
   * Tells whether somebody holds any of these scopes in a space, as the identity server and the space's list say now.
   */
  mayStill(who: { tenantId: string; userId: string; spaceId: string }, anyOf: readonly Scope[]): Promise<boolean>
  /** Tells whether this portal has more tenants than one. */
  areTenantsSeveral(): Promise<boolean>
  /** Tells whether somebody holds a role of the realm, or `client:role`, as the identity server says now. */
  hasRole(who: { tenantId: string; userId: string }, role: string): Promise<boolean>
}
