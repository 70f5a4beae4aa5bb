import type { NetworkReach } from '@quayside/contract/clusters/network-reach'
import type { ClusterConnection, Kubernetes } from '../../adapters/kubernetes/kubernetes.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import { unlessUnderWay } from '../../platform/db/exclusive.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import { type Failure, fail } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { createDemandRead } from './demand/read-demand.ts'
import { createHandOut } from './kubeconfigs/hand-out.ts'
import { createLowerInSpace } from './kubeconfigs/lower-in-space.ts'
import { createKubeconfigStore, endKubeconfigs } from './kubeconfigs/store.ts'
import { createSweep, sweepEveryMs } from './kubeconfigs/sweep.ts'
import { createLogReads } from './logs/read-logs.ts'
import { createRuleStore } from './outside/approvals/rule-store.ts'
import {
  type ActionWithRights,
  type Asked,
  createOutsideOfSpaces,
  type GivenRights,
  type OutsideVerdict,
  type ReleaseToBe,
} from './outside/index.ts'
import { isFormerLimit } from './outside/rights/former-limits.ts'
import { createHeldStore } from './outside/rights/held-store.ts'
import { createIsolationStore, endIsolation } from './outside/rights/isolation-store.ts'
import { allowedPriorities } from './outside/rights/priority-classes.ts'
import { settingsInForce } from './outside/rights/settings-in-force.ts'
import { withdrawEveryMs } from './outside/rights/withdraw-rights.ts'
import type { ClusterPorts } from './ports.ts'
import { createConnections } from './registry/connections.ts'
import { createHealthPoller } from './registry/health-poller.ts'
import { createKnownClusters } from './registry/known-clusters.ts'
import { createRegistry } from './registry/registry.ts'
import { createAppScopes } from './releases/app-scope.ts'
import { createAppWatch } from './releases/app-watch.ts'
import { createReleaseCalls } from './releases/release-calls.ts'
import { createReleases } from './releases/releases.ts'
import { createClear } from './removal/clear.ts'
import type { LeftObject } from './removal/leftovers.ts'
import { removeLeftover } from './removal/look-for-leftovers.ts'
import { createScaling } from './scaling/scaling.ts'
import { type ClusterRow, createStore } from './store.ts'
import { createUsageRead } from './usage/read-usage.ts'
import { createClusterChecks } from './validation/cluster-checks.ts'
import { createSpaceReads } from './workloads/space-reads.ts'
import { createWatchCaches } from './workloads/watch-cache.ts'

export type { Demands } from './demand/demand.ts'
export type { ActionWithRights, Asked, GivenRights, OutsideVerdict, ReleaseToBe, RollbackTo } from './outside/index.ts'
export type { WorkloadChange } from './scaling/workload-change.ts'
export type { ClusterUse } from './usage/read-usage.ts'

interface ClustersDeps {
  db: Db
  config: Pick<Config, 'allowPrivateAddresses' | 'allowedAddresses' | 'kubeconfigFile' | 'foreignHelmSeconds'>
  log: Logger
  encryption: Encryption
  kubernetes: Kubernetes
  live: Pick<Live, 'changed' | 'onWatch'>
  jobs: Pick<Jobs, 'every'>
  ports: ClusterPorts
}

type SpaceTarget = { namespace: string; spaceId: string }
const betweenRoundsMs = 60_000
const betweenReconcilingMs = 3 * 60_000
const betweenTidyingMs = 5 * 60_000

/** Clusters, what runs on them, and the calls that deployments make. */
export function createClusters(deps: ClustersDeps) {
  const { live, ports, log } = deps
  const ground = connectClusters(deps)
  const { store, connections, releases, watchCaches, scopes, appWatch, poller, outside, registry } = ground
  const { sweep, kubeconfigs, elsewhere } = handOutKubeconfigs(deps, ground)
  live.onWatch('app', appWatch.look)
  return {
    registry,
    outside,
    scopes,
    elsewhere,
    kubeconfigs,
    redactor: ports.redactor,
    changed: live.changed,
    connection: (tenantId: string, clusterId: string): Promise<ClusterConnection> =>
      connections.to(tenantId, clusterId),
    space: ports.space,
    row: connections.row,
    ofSpaces: ports.clustersOfSpaces,
    deployKubeconfig: connections.spaceKubeconfig,
    mustHoldNoApps: registry.mustHoldNoApps,
    ...createKnownClusters({ store, ports, connections, poller }),
    ...createClear({ store, connections, isolation: ground.isolation, ports, log }),
    ...createReleaseCalls({ connections, releases, watchCaches, held: outside.held, log }),
    ...createClusterChecks({ connections, releases }),
    ...outsideCalls(ground),
    ...createScaling({ scopes, connections }),
    ...createSpaceReads({ space: ports.space, connections, store }),
    ...createUsageRead({ connections }),
    ...createLogReads({ ports, scopes, watchCaches, releases }),
    ...createDemandRead({ connections }),

    /** Notes who has resized a pool of nodes, and has the pages of the cluster read again. */
    resized(
      { tenantId, username }: Actor,
      { clusterId, pool, count }: { clusterId: string; pool: string; count: number },
    ) {
      log.info({ clusterId, pool, count, who: username }, 'a node pool was resized')
      live.changed(tenantId, 'cluster', clusterId)
      live.changed(tenantId, 'clusters', clusterId)
    },

    /** Objects of an app's release with their state. */
    releaseObjects: async (tenantId: string, appId: string) => (await scopes.of(tenantId, appId)).parts,
    refreshApp: (tenantId: string, appId: string): Promise<void> => appWatch.refresh(tenantId, appId),
    /** The state that an app is left in by an action that has failed; undefined without a release name. */
    stateAfterFailure: appWatch.afterFailure,
    /** The operation that holds the lock of an app's release, as far as the cluster shows. */
    releaseLock: appWatch.lock,
    /** Looks now at the kubeconfigs that people have: somebody's rights may have changed. */
    lookAtKubeconfigs: sweep.look,

    endKubeconfigs,
    endIsolation,

    /** Starts the passes; they end with the jobs. */
    start() {
      const { jobs, db } = deps
      jobs.every(betweenRoundsMs, poller.pass)
      jobs.every(betweenReconcilingMs, () => unlessUnderWay(db.pool, 'clusters', outside.reconciler.pass))
      jobs.every(sweepEveryMs, sweep.look)
      jobs.every(withdrawEveryMs, outside.lookAtRights)
      jobs.every(betweenTidyingMs, () => unlessUnderWay(db.pool, 'tidied kubeconfigs', sweep.tidy))
    },

    close() {
      watchCaches.close()
      connections.close()
    },
  }
}
export type Clusters = ReturnType<typeof createClusters>

/** Connections to clusters and everything that looks at them. */
function connectClusters({ db, config, log, encryption, kubernetes, live, ports }: ClustersDeps) {
  const { allowPrivateAddresses, allowedAddresses, kubeconfigFile, foreignHelmSeconds: deadAfterSeconds } = config
  const store = createStore(db)
  const isolation = createIsolationStore(db)
  const rules = createRuleStore(db)
  const held = createHeldStore(db)
  const isolationOf = async (row: ClusterRow, connection: ClusterConnection, spaceId: string) => {
    const place = { tenantId: row.tenant_id, clusterId: row.id, spaceId }
    const [settings, apiServers, priorityClasses] = await Promise.all([
      settingsInForce({ clusters: store, isolation }, place),
      connection.apiServers(),
      allowedPriorities({ rules, held }, connection, place),
    ])
    return { ...settings, apiServers, priorityClasses }
  }
  const spaceMade = async (row: ClusterRow, spaceId: string) => {
    const key = { tenant_id: row.tenant_id, cluster_id: row.id, space_id: spaceId }
    await isolation.change(key, { applied: true, message: null })
    live.changed(row.tenant_id, 'cluster', row.id)
  }
  const connections = createConnections({
    store,
    encryption,
    kubernetes,
    allowPrivateAddresses,
    isolationOf,
    spaceMade,
  })
  const releases = createReleases()
  const watchCaches = createWatchCaches()
  const scopes = createAppScopes({ ports, connections, releases, watchCaches, deadAfterSeconds })
  const appWatch = createAppWatch({ ports, connections, watchCaches, scopes, live, log })
  const poller = createHealthPoller({ db, store, connections, watchCaches, ports, appWatch, live, log })
  const { changed } = live
  const lowerKubeconfigs = createLowerInSpace({ store: createKubeconfigStore(db), connections })
  const outside = createOutsideOfSpaces({
    ...{ db, clusters: store, releases, isolation, connections, ports, log, changed, lowerKubeconfigs },
    alone: (name, work) => unlessUnderWay(db.pool, name, work),
  })
  const registry = createRegistry({
    ...{ store, encryption, connections, ports, allowPrivateAddresses, allowedAddresses, kubeconfigFile },
    look: poller.look,
    begin: outside.rules.begin,
    mayLoosen: outside.mayLoosen,
    isolationChanged: outside.isolationChanged,
  })
  return { store, connections, isolation, releases, watchCaches, scopes, appWatch, poller, outside, registry }
}
type Ground = ReturnType<typeof connectClusters>

/** Kubeconfigs of people: handing them out, and the sweep that ends them. */
function handOutKubeconfigs({ db, ports, log }: ClustersDeps, { store: clusters, connections, outside }: Ground) {
  const store = createKubeconfigStore(db)
  const alone = (work: () => Promise<void>) => unlessUnderWay(db.pool, 'handed-out kubeconfigs', work)
  const { held } = outside
  const sweep = createSweep({ store, clusters, connections, ports, held, alone, log })
  /** Why a cluster cannot be used in a space: it is another one's, or the caller knows of none with this id. */
  const elsewhere = async (actor: Actor, clusterId: string, field?: string): Promise<Failure> =>
    fail((await ports.knowsCluster(actor, clusterId)) ? 'cluster.not-in-space' : 'cluster.not-found', { field })
  const kubeconfigs = createHandOut({ store, clusters, connections, ports, held, elsewhere, look: sweep.look })
  return { sweep, elsewhere, kubeconfigs }
}

type ReachOfSpace = Pick<NetworkReach, 'apiServer' | 'chartPolicies'>

/** Calls about objects outside of spaces. */
function outsideCalls({ connections, outside, isolation, store }: Ground) {
  return {
    /** Tells what the network of a space lets pods reach that releases ask for. */
    async reachOf(tenantId: string, clusterId: string, spaceId: string): Promise<ReachOfSpace> {
      const { network, reaches } = await settingsInForce(
        { clusters: store, isolation },
        { tenantId, clusterId, spaceId },
      )
      const { apiServer, chartPolicies } = reaches
      return network === 'open' ? { apiServer: true, chartPolicies: true } : { apiServer, chartPolicies }
    },
    /** Classes of priority among these that pods of a space may not name. */
    refusedPriorities: outside.refusedPriorities,
    /** The objects that a release needs outside of its space, each with its verdict. */
    outsideOf: (tenantId: string, release: ReleaseToBe): Promise<OutsideVerdict> => outside.verdict(tenantId, release),
    /** Gives an action the rights it needs outside of its space; see outside/rights/outside-rights.ts. */
    giveOutsideRights: (action: ActionWithRights): Promise<GivenRights> => outside.giveOutsideRights(action),
    lockRevision: outside.lockRevision,
    endOutsideRights: outside.endOutsideRights,
    /** Why the rights of a running action were taken back; undefined: they were not. */
    withdrawn: outside.rights.withdrawn,
    /** The rights that deploying in a space asks for, because pods there have rights outside of it; empty: they have none. */
    asksFor: outside.held.asksFor,
    /** Asks those who may edit the cluster for objects that its list does not have. */
    askApproval: (actor: Actor, asked: Asked) => outside.approvals.ask(actor, asked),

    async removeLeftover(tenantId: string, clusterId: string, target: SpaceTarget, left: LeftObject) {
      const looking = await connections.to(tenantId, clusterId)
      if (left.namespace !== target.namespace)
        return outside.removeLeft(looking, { tenantId, clusterId, ...target }, left)
      // The cluster tells that it is of the release, whose record is gone.
      if (left.goes && isFormerLimit(left)) return removeLeftover(looking, looking, left)
      const connection = await connections.asSpace(tenantId, clusterId, target)
      try {
        return await removeLeftover(connection, looking, left)
      } finally {
        connection.close()
      }
    },
  }
}
