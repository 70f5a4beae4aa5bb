import type { HealthCheck } from '@quayside/contract/cluster'
import type { ListQuery } from '@quayside/contract/paging'
import type { z } from 'zod'
import type { ManifestObject } from '../../adapters/helm/manifest.ts'
import { readManifestAside } from '../../adapters/helm/read-aside.ts'
import type { ClusterConnection, Kubernetes } from '../../adapters/kubernetes/kubernetes.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Config } from '../../kernel/config.ts'
import type { Db } from '../../kernel/db.ts'
import { Failure, fail } from '../../kernel/errors.ts'
import { unlessUnderWay } from '../../kernel/exclusive.ts'
import type { Jobs } from '../../kernel/jobs.ts'
import type { Live } from '../../kernel/live.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { Seal } from '../../kernel/seal.ts'
import { createAppScopes } from './app-scope.ts'
import { createAppWatch } from './app-watch.ts'
import { createClear } from './clear.ts'
import { createConnections } from './connections.ts'
import { dryRun } from './dry-run.ts'
import { createHandOut } from './kubeconfigs/hand-out.ts'
import { createKubeconfigStore } from './kubeconfigs/store.ts'
import { createSweep, sweepEveryMs } from './kubeconfigs/sweep.ts'
import type { LeftObject } from './leftovers.ts'
import { type Counted, listClusters } from './list-clusters.ts'
import { lookForLeftovers, removeLeftover, stillThere } from './look-for-leftovers.ts'
import { createMirrors } from './mirrors.ts'
import { orphansOf, unreadableOf } from './orphans.ts'
import {
  type Asked,
  createOutsideOfSpaces,
  type OutsideVerdict,
  type Reached,
  type ReachingAction,
  type ReleaseToBe,
} from './outside/index.ts'
import { createWallsStore, usualWalls } from './outside/walls-store.ts'
import { overwrites } from './overwrites.ts'
import type { ClusterPorts } from './ports.ts'
import { isSimulated, toCluster } from './present-cluster.ts'
import { createRegistry } from './registry.ts'
import { createReleases, revisionOf, setReleaseStatus, setRevisionAside } from './releases.ts'
import { type ObjectName, type Remaining, remaining } from './remaining.ts'
import { limitLines, quotaLines } from './room.ts'
import { createRounds } from './rounds.ts'
import { type ClusterRow, createStore } from './store.ts'
import { type MoreOfWatch, type WaitingState, watchRelease } from './watch-release.ts'

export type { LeftObject } from './leftovers.ts'
export type { Asked, OutsideVerdict, Reached, ReachingAction, ReleaseToBe } from './outside/index.ts'
export type { AppPlace, ClusterPorts } from './ports.ts'
export type { WaitingState } from './watch-release.ts'

export interface ClustersDeps {
  db: Db
  config: Pick<Config, 'allowPrivateAddresses' | 'allowedAddresses' | 'kubeconfigFile' | 'foreignHelmSeconds'>
  log: Logger
  seal: Seal
  kubernetes: Kubernetes
  live: Pick<Live, 'changed' | 'onWatch'>
  jobs: Pick<Jobs, 'every'>
  ports: ClusterPorts
}

type SpaceTarget = { namespace: string; spaceId: string }
const betweenRoundsMs = 60_000
const betweenReconcilingMs = 3 * 60_000
const betweenTidyingMs = 5 * 60_000

/** Clusters, what runs on them, and the doors that a deployment needs. */
export function createClusters(deps: ClustersDeps) {
  const { db, config, log, seal, kubernetes, live, ports } = deps
  const store = createStore(db)
  const { allowPrivateAddresses, allowedAddresses, kubeconfigFile } = config
  const walls = createWallsStore(db)
  const wallsOf = async (row: ClusterRow, connection: ClusterConnection, spaceId: string) => {
    const [found, apiServers] = await Promise.all([walls.one(row.tenant_id, row.id, spaceId), connection.apiServers()])
    const { pod_security: podSecurity, network } = found ?? usualWalls
    return { podSecurity, network, ingressNamespaces: row.ingress_namespaces, apiServers }
  }
  const spaceMade = async (row: ClusterRow, spaceId: string) => {
    const key = { tenant_id: row.tenant_id, cluster_id: row.id, space_id: spaceId }
    await walls.change(key, { applied: true, message: null })
    live.changed(row.tenant_id, 'cluster', row.id)
  }
  const connections = createConnections({ store, seal, kubernetes, allowPrivateAddresses, wallsOf, spaceMade })
  const releases = createReleases()
  const mirrors = createMirrors()
  const deadAfterSeconds = config.foreignHelmSeconds
  const scopes = createAppScopes({ ports, connections, releases, mirrors, deadAfterSeconds })
  const appWatch = createAppWatch({ ports, connections, mirrors, scopes, live, log })
  const rounds = createRounds({ db, store, connections, mirrors, ports, appWatch, live, log })
  const { changed } = live
  const outside = createOutsideOfSpaces({ db, clusters: store, releases, walls, connections, ports, log, changed })
  const registry = createRegistry({
    store,
    seal,
    connections,
    ports,
    allowPrivateAddresses,
    allowedAddresses,
    kubeconfigFile,
    look: rounds.look,
    begin: outside.rules.begin,
    wallsChanged: outside.wallsChanged,
  })
  live.onWatch('app', appWatch.look)
  const kubeconfigStore = createKubeconfigStore(db)
  const alone = (work: () => Promise<void>) => unlessUnderWay(db.pool, 'handed-out kubeconfigs', work)
  const { held } = outside
  const sweep = createSweep({ store: kubeconfigStore, clusters: store, connections, ports, held, alone, log })
  /** Why a cluster cannot be used in a space: it is another one's, or the caller knows of none with this id. */
  const elsewhere = async (actor: Actor, clusterId: string, field?: string): Promise<Failure> =>
    fail((await ports.knowsCluster(actor, clusterId)) ? 'cluster.not-in-space' : 'cluster.not-found', { field })
  const kubeconfigs = createHandOut({
    store: kubeconfigStore,
    clusters: store,
    connections,
    ports,
    held,
    elsewhere,
    look: sweep.look,
  })

  return {
    registry,
    outside,
    scopes,
    hiding: ports.hiding,
    changed: live.changed,
    connection: (tenantId: string, clusterId: string): Promise<ClusterConnection> =>
      connections.to(tenantId, clusterId),
    space: ports.space,
    row: connections.row,

    /** Starts the passes; they end with the jobs. */
    start() {
      deps.jobs.every(betweenRoundsMs, rounds.pass)
      deps.jobs.every(betweenReconcilingMs, () => unlessUnderWay(db.pool, 'clusters', outside.reconciler.pass))
      deps.jobs.every(sweepEveryMs, sweep.look)
      deps.jobs.every(betweenTidyingMs, () => unlessUnderWay(db.pool, 'tidied kubeconfigs', sweep.tidy))
    },

    list: (tenantId: string, query: ListQuery, path: string, counted: Counted) =>
      listClusters({ store, ports }, tenantId, query, path, counted),

    async get(tenantId: string, id: string, counted: Counted) {
      const [row, apps, spaces] = await Promise.all([
        connections.row(tenantId, id),
        ports.appCounts(tenantId, counted.apps),
        ports.spaceCounts(tenantId, counted.spaces),
      ])
      return toCluster(row, { apps: apps.get(id) ?? 0, spaces: spaces.get(id) ?? 0 })
    },

    ofSpaces: ports.clustersOfSpaces,

    elsewhere,
    kubeconfigs,
    ...createClear({ store, connections, ports, log }),
    mustHoldNoApps: registry.mustHoldNoApps,
    /** Looks now at the kubeconfigs that people have: somebody's rights may have changed. */
    lookAtKubeconfigs: sweep.look,

    /** By id, for lists that name clusters. */
    async names(tenantId: string) {
      const rows = await store.all(tenantId)
      return new Map(
        rows.map(({ id, name, display_name, provider }) => [id, { id, name, displayName: display_name, provider }]),
      )
    },

    async record(tenantId: string, clusterId: string) {
      const row = await connections.recent(tenantId, clusterId).catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'cluster.not-found') return undefined
        throw error
      })
      return (
        row && {
          id: row.id,
          name: row.name,
          displayName: row.display_name,
          provider: row.provider,
          simulated: isSimulated(row),
          clusterScoped: row.cluster_scoped,
        }
      )
    },

    async healthCheck(tenantId: string, id: string): Promise<z.infer<typeof HealthCheck>> {
      const { report, checks } = await rounds.look(await connections.row(tenantId, id))
      return { healthy: report.health === 'healthy', checks }
    },

    deployKubeconfig: connections.spaceKubeconfig,

    async readRelease(tenantId: string, clusterId: string, namespace: string, releaseName: string) {
      return (await releases.history(await connections.to(tenantId, clusterId), namespace, releaseName)).revisions
    },

    /** The same, with the numbers of the revisions that cannot be read. */
    async readHistory(tenantId: string, clusterId: string, namespace: string, releaseName: string) {
      const connection = await connections.to(tenantId, clusterId)
      const { revisions, unreadable } = await releases.history(connection, namespace, releaseName)
      return { revisions, unreadable: unreadable.map(revisionOf) }
    },

    async setRevisionAside(
      tenantId: string,
      clusterId: string,
      namespace: string,
      releaseName: string,
      revision: number,
    ): Promise<boolean> {
      return setRevisionAside(await connections.to(tenantId, clusterId), namespace, releaseName, revision)
    },

    /** The objects of a release that are still there, and the finalizers that hold them. */
    async remaining(
      tenantId: string,
      clusterId: string,
      release: { namespace: string; releaseName: string },
      objects: readonly ObjectName[],
    ): Promise<Remaining[]> {
      return remaining(await connections.to(tenantId, clusterId), release, objects)
    },

    async setReleaseStatus(
      tenantId: string,
      clusterId: string,
      namespace: string,
      releaseName: string,
      change: Parameters<typeof setReleaseStatus>[3],
    ): Promise<boolean> {
      return setReleaseStatus(await connections.to(tenantId, clusterId), namespace, releaseName, change)
    },

    /** Objects of an app's release with their state. */
    releaseObjects: async (tenantId: string, appId: string) => (await scopes.of(tenantId, appId)).parts,

    watchRelease(
      tenantId: string,
      clusterId: string,
      namespace: string,
      releaseName: string,
      onWaiting: (state: WaitingState) => void,
      more?: MoreOfWatch,
    ): { stop(): void } {
      let stopped = false
      let watching: { stop(): void } | undefined
      connections
        .to(tenantId, clusterId)
        .then((connection) => {
          if (stopped) return
          watching = watchRelease(
            { mirrors, releases, log },
            { clusterId, connection, namespace, releaseName },
            onWaiting,
            more,
          )
        })
        // The lines about waiting are only a convenience: the deployment goes on without them.
        .catch((error: unknown) => log.warn({ err: error, releaseName }, 'a release could not be watched'))
      return {
        stop() {
          stopped = true
          watching?.stop()
        },
      }
    },

    async capabilities(tenantId: string, clusterId: string) {
      const connection = await connections.to(tenantId, clusterId)
      const [{ gitVersion }, kinds] = await Promise.all([connection.version(), connection.kinds()])
      const versions = kinds.flatMap(({ apiVersion, kind }) => [apiVersion, `${apiVersion}/${kind}`])
      return {
        kubeVersion: gitVersion,
        apiVersions: [...new Set(versions)],
        resourceScopes: new Map(kinds.map(({ apiVersion, kind, namespaced }) => [`${apiVersion}/${kind}`, namespaced])),
      }
    },

    async dryRun(tenantId: string, clusterId: string, target: SpaceTarget, manifest: readonly ManifestObject[]) {
      const connection = await connections.asSpace(tenantId, clusterId, target)
      try {
        return await dryRun(connection, target.namespace, manifest)
      } finally {
        connection.close()
      }
    },

    /** Fields that others have set and a manifest would set again, a line for each object. */
    async overwrites(tenantId: string, clusterId: string, target: SpaceTarget, manifest: string) {
      const connection = await connections.asSpace(tenantId, clusterId, target)
      try {
        return await overwrites(connection, target.namespace, manifest)
      } finally {
        connection.close()
      }
    },

    /** Quotas and limits of the namespace that a manifest would exceed; the release's present usage counts as free. */
    async shortfalls(
      tenantId: string,
      clusterId: string,
      { namespace, releaseName }: { namespace: string; releaseName: string | null },
      manifest: readonly ManifestObject[],
    ) {
      const connection = await connections.to(tenantId, clusterId)
      const [quotas, ranges] = await Promise.all(
        ['v1/resourcequotas', 'v1/limitranges'].map((resource) => connection.list(resource, { namespace })),
      )
      const history =
        quotas?.length && releaseName ? await releases.history(connection, namespace, releaseName) : undefined
      const newest = history?.revisions[0]
      const now = newest && newest.status === 'deployed' ? await readManifestAside(newest.manifest) : []
      return [...quotaLines(quotas ?? [], manifest, now), ...limitLines(ranges ?? [], manifest)]
    },

    /** Objects that uninstalling leaves; for a release that is gone already, those still there, `earlier` included. */
    async leftovers(
      tenantId: string,
      clusterId: string,
      where: { namespace: string; releaseName: string; crds: readonly string[]; earlier: readonly LeftObject[] },
    ): Promise<LeftObject[]> {
      const connection = await connections.to(tenantId, clusterId)
      const history = await releases.history(connection, where.namespace, where.releaseName)
      const [release] = history.revisions
      const unreadable = unreadableOf(history)
      if (!release) {
        const [earlier, orphans] = await Promise.all([
          stillThere(connection, where.earlier),
          orphansOf(connection, where.namespace, where.releaseName),
        ])
        const found = new Map([...earlier, ...unreadable, ...orphans].map((one) => [one.uid, one]))
        return [...found.values()]
      }
      const left = await lookForLeftovers(connection, where.namespace, { release, crds: where.crds })
      return [...left, ...unreadable]
    },

    async removeLeftover(tenantId: string, clusterId: string, target: SpaceTarget, left: LeftObject) {
      const looking = await connections.to(tenantId, clusterId)
      if (left.namespace !== target.namespace)
        return outside.removeLeft(looking, { tenantId, clusterId, ...target }, left)
      const connection = await connections.asSpace(tenantId, clusterId, target)
      try {
        return await removeLeftover(connection, looking, left)
      } finally {
        connection.close()
      }
    },

    /** The objects that a release needs outside of its space, each with its verdict. */
    outsideOf: (tenantId: string, release: ReleaseToBe): Promise<OutsideVerdict> => outside.verdict(tenantId, release),
    /** Gives an action what it needs outside of its space; see outside/reach.ts. */
    reachOut: (action: ReachingAction): Promise<Reached> => outside.reachOut(action),
    endReach: outside.endReach,
    /** Whether an app's release gives pods of a space rights outside of it, on one of its clusters or on this one. */
    isElevated: (tenantId: string, clusterId: string, spaceId: string): Promise<boolean> =>
      outside.held.isElevated(tenantId, clusterId, spaceId),
    /** Asks those who may edit the cluster for what its list does not have. */
    askApproval: (actor: Actor, asked: Asked) => outside.approvals.ask(actor, asked),

    refreshApp: (tenantId: string, appId: string): Promise<void> => appWatch.refresh(tenantId, appId),
    /** The state that an app is left in by an action that has failed; undefined without a release name. */
    stateAfterFailure: appWatch.afterFailure,
    /** The operation that holds the lock of an app's release, as far as the cluster shows. */
    releaseLock: appWatch.lock,

    close() {
      mirrors.close()
      connections.close()
    },
  }
}
export type Clusters = ReturnType<typeof createClusters>
