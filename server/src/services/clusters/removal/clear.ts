import type { UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { endKubeconfigs } from '../kubeconfigs/store.ts'
import type { ClusterPorts } from '../ports.ts'
import type { Connections } from '../registry/connections.ts'
import type { Store } from '../store.ts'

/** The namespace of a space, as a cluster has it. */
interface SpaceOnCluster {
  tenantId: string
  clusterId: string
  clusterName: string
  spaceId: string
  namespace: string
  /** Somebody has installed a release in it with a Helm of their own. */
  isInUse: boolean
}

/** Takes spaces off clusters, and the portal itself. */
export function createClear(deps: {
  store: Store
  connections: Pick<Connections, 'to' | 'ofRow' | 'forget'>
  ports: Pick<ClusterPorts, 'usersOf'>
  log: Logger
}) {
  const { store, connections, ports, log } = deps

  return {
    /** Removes a space from a cluster and returns the names of what is still there; can be repeated. */
    async clearSpace(tenantId: string, clusterId: string, space: { spaceId: string; namespace: string }) {
      return (await connections.to(tenantId, clusterId)).clearSpace({ tenantId, ...space })
    },

    /** Removes a registration from its cluster, except for objects that other registrations of the server use. */
    async clearCluster(tenantId: string, clusterId: string): Promise<string[]> {
      const rows = await store.all(tenantId)
      const server = rows.find(({ id }) => id === clusterId)?.server
      const connection = await connections.to(tenantId, clusterId)
      // An address says nothing for sure: a cluster has several. The marks of registrations lie on the cluster itself.
      const here = await connection.registrationsOn(tenantId)
      const others = rows
        .filter((row) => row.id !== clusterId && (row.server === server || here.has(row.id)))
        .map(({ id }) => id)
      const keep = others.length === 0 ? new Map() : await ports.usersOf(tenantId, others)
      const registration = { tenantId, clusterId }
      return connection.clearRegistration(registration, {
        keep: new Set(keep.keys()),
        isOnly: others.length === 0,
      })
    },

    /** In the transaction that ends a deregistration. */
    async forgetCluster(within: UnitOfWork, clusterId: string): Promise<void> {
      await endKubeconfigs(within, { clusterId })
      await store.remove(within, clusterId)
      connections.forget(clusterId)
    },

    /** Namespaces of spaces on all clusters that answer, of every tenant. */
    async spacesOnClusters(): Promise<SpaceOnCluster[]> {
      const found: SpaceOnCluster[] = []
      for (const row of await store.everyone())
        try {
          const connection = connections.ofRow(row)
          for (const space of await connection.spacesOn(row.tenant_id)) {
            const releases = await connection.list('v1/secrets', {
              namespace: space.namespace,
              labelSelector: 'owner=helm',
              metadataOnly: true,
              limit: 1,
            })
            found.push({ ...space, clusterId: row.id, clusterName: row.display_name, isInUse: releases.length > 0 })
          }
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          log.debug({ err: error, clusterId: row.id }, 'a cluster was not asked for its spaces')
        }
      return found
    },
  }
}
