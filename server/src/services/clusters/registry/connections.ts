import type { ClusterConnection, Kubernetes } from '../../../adapters/kubernetes/kubernetes.ts'
import { policiesInForce, type Waiting } from '../../../adapters/kubernetes/space/policies-in-force.ts'
import { portalNamespace } from '../../../adapters/kubernetes/space/portal-namespace.ts'
import { accountOf, type SpaceHere } from '../../../adapters/kubernetes/space/space-identity.ts'
import type { SpaceIsolation } from '../../../adapters/kubernetes/space/space-isolation.ts'
import { type PolicyName, servesPolicies } from '../../../adapters/kubernetes/space/space-policies.ts'
import type { Encryption } from '../../../platform/encryption/encryption.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { ClusterRow, Store } from '../store.ts'

interface Target {
  namespace: string
  spaceId: string
}

interface Enforcing {
  policies?: readonly PolicyName[]
  onWait?: Waiting
}

/** Open connections, one for each cluster and kubeconfig; and the kubeconfigs of the spaces' own identities. */
export interface Connections {
  row(tenantId: string, clusterId: string): Promise<ClusterRow>
  /** The row as it was at most a second ago, without delay for changes on this replica: kubeconfig and settings. */
  recent(tenantId: string, clusterId: string): Promise<ClusterRow>
  to(tenantId: string, clusterId: string): Promise<ClusterConnection>
  ofRow(row: ClusterRow): ClusterConnection
  /**
   * A kubeconfig of the account that deploys into a space, on a cluster that enforces what keeps spaces apart.
   * @param onWait called when the cluster does not yet, and is waited for
   */
  spaceKubeconfig(tenantId: string, clusterId: string, target: Target, onWait?: Waiting): Promise<string>
  /** Waits until a cluster enforces policies in the namespace that a kubeconfig is for, as whoever holds that. */
  enforced(row: ClusterRow, held: { kubeconfig: string; namespace: string }, options?: Enforcing): Promise<void>
  /** Brings what a cluster has of a space, apart from what runs there, to what it should be. */
  ensureSpace(row: ClusterRow, target: Target): Promise<void>
  /** Acts as a space. Close it afterwards. */
  asSpace(tenantId: string, clusterId: string, target: Target): Promise<ClusterConnection>
  forget(clusterId: string): void
  close(): void
}

/** Time a space's token is reused, of the hour that it is valid; the rest is for the deployment that uses it. */
const tokenKeptMs = 25 * 60_000

/** One deployment asks seven times for its cluster. What another replica changes is seen this much later. */
const rowKeptMs = 1000

export function placeOf(clusterId: string): string {
  return `clusters.kubeconfig.${clusterId}`
}

/**
 * Identifies the account, rights and bound Secret that a token of the space is good for: a namespace that was deleted
 * and created again, also by another replica, has another binding of the same name.
 */
async function identityOf(connection: ClusterConnection, { namespace, spaceId }: Target): Promise<string | undefined> {
  const name = accountOf(spaceId)
  const found = await Promise.all([
    connection.get('v1/serviceaccounts', portalNamespace, name),
    connection.get('v1/secrets', portalNamespace, name),
    connection.get('rbac.authorization.k8s.io/v1/rolebindings', namespace, 'quayside-deployer'),
  ])
  // One that is just being deleted is to be made anew.
  const isThere = found.every((one) => one && one.metadata.deletionTimestamp === undefined)
  return isThere ? found.map((one) => one?.metadata.uid).join('|') : undefined
}

export function createConnections(deps: {
  store: Store
  encryption: Encryption
  kubernetes: Kubernetes
  allowPrivateAddresses: boolean
  /** The settings that isolate a space on a cluster. */
  isolationOf(row: ClusterRow, connection: ClusterConnection, spaceId: string): Promise<SpaceIsolation>
  /** Called when a cluster has the namespace of a space with its settings. */
  spaceMade(row: ClusterRow, spaceId: string): Promise<void>
  now?: () => number
}): Connections {
  const { store, encryption, kubernetes } = deps
  const now = deps.now ?? Date.now
  const open = new Map<string, { key: string; connection: ClusterConnection }>()
  const tokens = new Map<string, { at: number; kubeconfig: string; identity: string }>()
  const { row, recent, forget: forgetRow } = createRecentRows(store, now)
  const options = (row: ClusterRow) => ({ allowPrivateAddresses: deps.allowPrivateAddresses || row.by_operator })

  function ofRow(cluster: ClusterRow): ClusterConnection {
    const key = `${cluster.tenant_id}|${cluster.generation}|${cluster.by_operator}`
    const known = open.get(cluster.id)
    if (known?.key === key) return known.connection
    known?.connection.close()
    const kubeconfig = encryption.decrypt(cluster.tenant_id, placeOf(cluster.id), cluster.kubeconfig)
    const connection = kubernetes.connect(kubeconfig, options(cluster))
    open.set(cluster.id, { key, connection })
    return connection
  }

  async function here(cluster: ClusterRow, { namespace, spaceId }: Target): Promise<SpaceHere> {
    const isolation = await deps.isolationOf(cluster, ofRow(cluster), spaceId)
    return { tenantId: cluster.tenant_id, clusterId: cluster.id, spaceId, namespace, isolation }
  }

  const enforced: Connections['enforced'] = (cluster, held, enforcing = {}) =>
    enforcedFor(held, enforcing, { of: ofRow(cluster), connect: (text) => kubernetes.connect(text, options(cluster)) })

  async function spaceKubeconfig(tenantId: string, clusterId: string, target: Target, onWait?: Waiting) {
    const cluster = await recent(tenantId, clusterId)
    const key = [clusterId, cluster.generation, target.spaceId, target.namespace].join('|')
    const connection = ofRow(cluster)
    const known = tokens.get(key)
    if (known && now() - known.at < tokenKeptMs && (await identityOf(connection, target)) === known.identity)
      return known.kubeconfig
    const kubeconfig = await connection.spaceKubeconfig(await here(cluster, target))
    await enforced(cluster, { kubeconfig, namespace: target.namespace }, onWait ? { onWait } : {})
    await deps.spaceMade(cluster, target.spaceId)
    const identity = await identityOf(connection, target)
    if (tokens.size > 1000) tokens.clear()
    if (identity) tokens.set(key, { at: now(), kubeconfig, identity })
    return kubeconfig
  }

  return {
    row,
    recent,
    ofRow,
    to: async (tenantId, clusterId) => ofRow(await recent(tenantId, clusterId)),
    spaceKubeconfig,
    enforced,
    ensureSpace: async (cluster, target) => ofRow(cluster).ensureSpace(await here(cluster, target)),
    async asSpace(tenantId, clusterId, target) {
      const [cluster, kubeconfig] = await Promise.all([
        recent(tenantId, clusterId),
        spaceKubeconfig(tenantId, clusterId, target),
      ])
      return kubernetes.connect(kubeconfig, options(cluster))
    },
    forget(clusterId) {
      open.get(clusterId)?.connection.close()
      open.delete(clusterId)
      forgetRow(clusterId)
      for (const key of tokens.keys()) if (key.startsWith(`${clusterId}|`)) tokens.delete(key)
    },
    close() {
      for (const { connection } of open.values()) connection.close()
      open.clear()
    },
  }
}

async function enforcedFor(
  { kubeconfig, namespace }: { kubeconfig: string; namespace: string },
  enforcing: Enforcing,
  { of, connect }: { of: ClusterConnection; connect(kubeconfig: string): ClusterConnection },
): Promise<void> {
  if (!servesPolicies(await of.kinds())) return
  const own = connect(kubeconfig)
  try {
    await policiesInForce(own, namespace, enforcing)
  } finally {
    own.close()
  }
}

/** Rows of clusters, kept for a second. */
function createRecentRows(store: Store, now: () => number) {
  const rows = new Map<string, { at: number; row: ClusterRow }>()

  async function row(tenantId: string, clusterId: string): Promise<ClusterRow> {
    const found = await store.find(tenantId, clusterId)
    if (!found) throw fail('cluster.not-found')
    if (rows.size > 1000) rows.clear()
    rows.set(`${tenantId}|${clusterId}`, { at: now(), row: found })
    return found
  }

  function recent(tenantId: string, clusterId: string): Promise<ClusterRow> {
    const known = rows.get(`${tenantId}|${clusterId}`)
    return known && now() - known.at < rowKeptMs ? Promise.resolve(known.row) : row(tenantId, clusterId)
  }

  function forget(clusterId: string) {
    for (const key of rows.keys()) if (key.endsWith(`|${clusterId}`)) rows.delete(key)
  }

  return { row, recent, forget }
}
