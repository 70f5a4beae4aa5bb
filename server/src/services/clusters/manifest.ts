import { clusterTopics } from '@quayside/contract/clusters/topics'
import { createKubernetes } from '../../adapters/kubernetes/create-kubernetes.ts'
import type { StandingOf } from '../../platform/auth/standing.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Apps } from '../apps/index.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Directory } from '../directory/index.ts'
import type { Permissions } from '../permissions/index.ts'
import type { Spaces } from '../spaces/index.ts'
import type { Tenants } from '../tenants/index.ts'
import { createClusters } from './index.ts'
import { steps } from './migrations.ts'
import type { ClusterPorts } from './ports.ts'
import { placeOf } from './registry/connections.ts'
import { type ClusterRoutes, routes } from './routes.ts'

interface Parts extends ClusterRoutes {
  db: Db
  config: Config
  log: Logger
  encryption: Encryption
  jobs: Jobs
  live: Live
  standing: StandingOf
  tenants: Tenants
  directory: Directory
  permissions: Permissions
  spaces: Spaces
  apps: Apps
  catalog: Catalog
}

export const clusters = {
  name: 'clusters',
  migrations: steps,
  sealed: [{ table: 'clusters', column: 'kubeconfig', place: placeOf }],
  topics: clusterTopics,
  create(parts) {
    const { db, config, log, encryption, live, jobs } = parts
    const kubernetes = createKubernetes({ log, allowedAddresses: config.allowedAddresses })
    return createClusters({ db, config, log, encryption, live, jobs, kubernetes, ports: portsOf(parts) })
  },
  routes,
  async start({ clusters, permissions, log }, home) {
    permissions.onAccessChanged(() => {
      clusters.lookAtKubeconfigs().catch((error: unknown) => log.warn({ err: error }, 'kubeconfigs were not looked at'))
    })
    await clusters.registry.registerOperators(home.id)
    clusters.start()
  },
  close: ({ clusters }) => clusters.close(),
} satisfies Manifest<Parts>

function portsOf(parts: Parts): ClusterPorts {
  const { tenants, standing, directory, permissions, spaces, apps, catalog } = parts
  return {
    app: apps.record,
    space: spaces.record,
    appCounts: apps.countsByCluster,
    spaceCounts: spaces.countsByCluster,
    clustersOfSpaces: spaces.clusterIdsIn,
    usersOf: spaces.usersOf,
    knowsCluster: async (actor, clusterId) => (await spaces.clusterNamesFor(actor)).has(clusterId),
    actionsAtWork: (tenantId, ids) => parts.deployments.atWork(tenantId, ids),
    itemOf: (tenantId, id) =>
      catalog.get(tenantId, { id }).then(
        ({ displayName, source }) => ({ displayName, sourceId: source?.id ?? null }),
        () => undefined,
      ),
    publisherNamed: catalog.publisherNamed,
    appsIn: apps.deployedIn,
    deployedApps: apps.deployed,
    redactor: (tenantId, appId, release) => parts.deployments.redactor(tenantId, appId, release),
    async personNow(tenantId, userId) {
      const realm = await tenants.realmOf(tenantId)
      const person = realm === undefined ? undefined : await standing.readNow(realm, userId)
      return person && { ...person, tenantId, userId }
    },
    isRole: async (realm, id) => (await permissions.names.of(realm, { type: 'role', id })) !== undefined,
    commonRoles: directory.commonRoles,
    grantorNow: permissions.grantorNow,
    scopesIn: (person, spaceIds) => permissions.rights.at(person, 'space', spaceIds),
    setAppState: (tenantId, seen, state, stateMessage) => apps.setSeenState(tenantId, seen, { state, stateMessage }),
  }
}
