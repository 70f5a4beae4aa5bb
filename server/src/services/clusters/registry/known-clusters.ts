import type { HealthCheck } from '@quayside/contract/clusters/endpoints'
import type { ListQuery } from '@quayside/contract/http/paging'
import type { z } from 'zod'
import { Failure } from '../../../platform/http/errors.ts'
import type { ClusterPorts } from '../ports.ts'
import type { Store } from '../store.ts'
import type { Connections } from './connections.ts'
import type { HealthPoller } from './health-poller.ts'
import { type Counted, listClusters } from './list-clusters.ts'
import { isSimulated, toCluster } from './present-cluster.ts'

interface KnownDeps {
  store: Store
  ports: ClusterPorts
  connections: Connections
  poller: HealthPoller
}

/** The registered clusters of a tenant, as lists, pages and other services read them. */
export function createKnownClusters({ store, ports, connections, poller }: KnownDeps) {
  return {
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

    /** By id, for lists that name clusters. */
    async names(tenantId: string) {
      const rows = await store.all(tenantId)
      return new Map(
        rows.map(({ id, name, display_name, provider }) => [id, { id, name, displayName: display_name, provider }]),
      )
    },

    /** Those of every tenant, with what the last look at each found. */
    async ofAllTenants() {
      const rows = await store.everyone()
      return rows.map(({ id, tenant_id, facts: { capacity, requested } }) => ({
        ...{ id, tenantId: tenant_id },
        ...{ capacity, requested },
      }))
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
      const { report, checks } = await poller.look(await connections.row(tenantId, id))
      return { healthy: report.health === 'healthy', checks }
    },
  }
}
