import type { ClusterConnection, Kubernetes } from '../../adapters/kubernetes/kubernetes.ts'
import { fail } from '../../kernel/errors.ts'
import type { Seal } from '../../kernel/seal.ts'
import type { ClusterRow, Store } from './store.ts'

/** Open connections, one for each cluster and kubeconfig; and the kubeconfigs of the spaces' own identities. */
export interface Connections {
  row(tenantId: string, clusterId: string): Promise<ClusterRow>
  /** As it was at most a second ago, on this replica as it is now: how it is reached, and what is allowed on it. */
  recent(tenantId: string, clusterId: string): Promise<ClusterRow>
  to(tenantId: string, clusterId: string): Promise<ClusterConnection>
  ofRow(row: ClusterRow): ClusterConnection
  spaceKubeconfig(tenantId: string, clusterId: string, target: { namespace: string; spaceId: string }): Promise<string>
  /** Acts as a space. Close it afterwards. */
  asSpace(
    tenantId: string,
    clusterId: string,
    target: { namespace: string; spaceId: string },
  ): Promise<ClusterConnection>
  forget(clusterId: string): void
  close(): void
}

/** Of the hour that a token lives; the rest is for the deployment that uses it. */
const tokenKeptMs = 25 * 60_000

/** One deployment asks seven times for its cluster. What another replica changes is seen this much later. */
const rowKeptMs = 1000

export function placeOf(clusterId: string): string {
  return `clusters.kubeconfig.${clusterId}`
}

/**
 * Which account a token of the space is good for, with what it may: a namespace that was deleted and made again, by
 * another replica too, has another account of the same name.
 */
async function identityOf(connection: ClusterConnection, namespace: string): Promise<string | undefined> {
  const [account, binding] = await Promise.all([
    connection.get('v1/serviceaccounts', namespace, 'quayside-deployer'),
    connection.get('rbac.authorization.k8s.io/v1/rolebindings', namespace, 'quayside-deployer'),
  ])
  return account && binding ? `${account.metadata.uid}|${binding.metadata.uid}` : undefined
}

export function createConnections(deps: {
  store: Store
  seal: Seal
  kubernetes: Kubernetes
  allowPrivateAddresses: boolean
  now?: () => number
}): Connections {
  const { store, seal, kubernetes } = deps
  const now = deps.now ?? Date.now
  const open = new Map<string, { key: string; connection: ClusterConnection }>()
  const tokens = new Map<string, { at: number; kubeconfig: string; identity: string }>()
  const rows = new Map<string, { at: number; row: ClusterRow }>()
  const options = (row: ClusterRow) => ({ allowPrivateAddresses: deps.allowPrivateAddresses || row.by_operator })

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

  function ofRow(cluster: ClusterRow): ClusterConnection {
    const key = `${cluster.tenant_id}|${cluster.generation}|${cluster.by_operator}`
    const known = open.get(cluster.id)
    if (known?.key === key) return known.connection
    known?.connection.close()
    const kubeconfig = seal.open(cluster.tenant_id, placeOf(cluster.id), cluster.kubeconfig)
    const connection = kubernetes.connect(kubeconfig, options(cluster))
    open.set(cluster.id, { key, connection })
    return connection
  }

  async function spaceKubeconfig(tenantId: string, clusterId: string, target: { namespace: string; spaceId: string }) {
    const cluster = await recent(tenantId, clusterId)
    const { namespace, spaceId } = target
    const key = [clusterId, cluster.generation, cluster.cluster_scoped, spaceId, namespace].join('|')
    const connection = ofRow(cluster)
    const known = tokens.get(key)
    if (known && now() - known.at < tokenKeptMs && (await identityOf(connection, namespace)) === known.identity)
      return known.kubeconfig
    const labels = { 'quayside.io/space': spaceId, 'quayside.io/tenant': tenantId }
    const kubeconfig = await connection.spaceKubeconfig(namespace, { clusterScoped: cluster.cluster_scoped, labels })
    const identity = await identityOf(connection, namespace)
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
      for (const key of rows.keys()) if (key.endsWith(`|${clusterId}`)) rows.delete(key)
      for (const key of tokens.keys()) if (key.startsWith(`${clusterId}|`)) tokens.delete(key)
    },
    close() {
      for (const { connection } of open.values()) connection.close()
      open.clear()
    },
  }
}
