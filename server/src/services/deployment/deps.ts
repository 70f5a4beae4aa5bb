import type { Scope } from '@quayside/contract/scopes'
import type { Helm } from '../../adapters/helm/helm.ts'
import type { Config } from '../../kernel/config.ts'
import type { Db } from '../../kernel/db.ts'
import type { Jobs } from '../../kernel/jobs.ts'
import type { Live } from '../../kernel/live.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Rights } from '../../kernel/rights.ts'
import type { Seal } from '../../kernel/seal.ts'
import type { Apps, Menu, Spaces } from '../portal-api/index.ts'
import type { AccessPort, CatalogPort, ClustersPort } from './ports.ts'

/** Everything that a deployment needs of others. */
export interface DeploymentDeps {
  db: Db
  config: Pick<Config, 'dataDir' | 'deployTimeoutSeconds' | 'leaseSeconds' | 'ledgerDays'>
  log: Logger
  seal: Seal
  jobs: Jobs
  live: Live
  helm: Helm
  catalog: CatalogPort
  spaces: Pick<Spaces, 'record' | 'remove' | 'leaveCluster' | 'usersOf'>
  apps: Pick<Apps, 'find' | 'record' | 'list' | 'byIds' | 'create' | 'patchRecord' | 'remove'>
  menu: Pick<Menu, 'pinsOfApp' | 'removePinsOfApp'>
  clusters: ClustersPort
  access: AccessPort
  rights: Rights
  /** Whether somebody holds any of these scopes in a space, as the identity server and the space's list say now. */
  mayStill(who: { tenantId: string; userId: string; spaceId: string }, anyOf: readonly Scope[]): Promise<boolean>
}
