import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { ClusterSort } from '@quayside/contract/clusters/sorts'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import { filterValues, listReply, mustKnowFilters, orderOf } from '../../../platform/http/listing.ts'
import type { ClusterPorts } from '../ports.ts'
import type { Store } from '../store.ts'
import { toCluster } from './present-cluster.ts'

const sortable = {
  name: 'name',
  displayName: 'displayName',
  createdAt: 'createdAt',
  health: 'health',
} as const satisfies Record<ClusterSort, ClusterSort>

/** Conditions for the apps and spaces that are counted; undefined counts all. */
export interface Counted {
  apps: SpaceCondition | undefined
  spaces: SpaceCondition | undefined
}

/** A page of the tenant's clusters; they are few, so they are chosen and ordered here. */
export async function listClusters(
  { store, ports }: { store: Store; ports: ClusterPorts },
  tenantId: string,
  query: ListQuery,
  path: string,
  counted: Counted,
): Promise<ListReply<Cluster>> {
  mustKnowFilters(query.filters, ['health'])
  const [rows, apps, spaces] = await Promise.all([
    store.all(tenantId),
    ports.appCounts(tenantId, counted.apps),
    ports.spaceCounts(tenantId, counted.spaces),
  ])
  const clusters = rows.map((row) => toCluster(row, { apps: apps.get(row.id) ?? 0, spaces: spaces.get(row.id) ?? 0 }))
  const wanted = query.search?.trim().toLowerCase() ?? ''
  const health = filterValues(query.filters, 'health')
  const found = clusters.filter(
    (cluster) =>
      `${cluster.displayName} ${cluster.id} ${cluster.name} ${cluster.iaas.type}`.toLowerCase().includes(wanted) &&
      (health.length === 0 || health.includes(cluster.health)),
  )
  const order = orderOf(query.sort, sortable, [['createdAt', 'asc']])
  found.sort((a, b) => {
    for (const [field, direction] of order) {
      const compared = a[field].localeCompare(b[field])
      if (compared !== 0) return direction === 'asc' ? compared : -compared
    }
    return a.id.localeCompare(b.id)
  })
  const { skip, limit } = query.page
  return listReply(found.slice(skip, skip + limit), found.length, query, path)
}
