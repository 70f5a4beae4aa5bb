import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { ClusterRow } from '../store.ts'

/** A cluster for the API. The kubeconfig is never included. */
export function toCluster(row: ClusterRow, counts: { apps: number; spaces: number }): Cluster {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    iaas: { type: row.provider },
    server: row.server,
    version: row.version,
    simulated: isSimulated(row),
    clusterScoped: row.cluster_scoped,
    ingressNamespaces: row.ingress_namespaces,
    health: row.health,
    healthMessage: row.health_message,
    ...row.facts,
    appCount: counts.apps,
    spaceCount: counts.spaces,
    checkedAt: row.checked_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

export function isSimulated(row: Pick<ClusterRow, 'provider'>): boolean {
  return row.provider === 'Sandbox'
}
