import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'

const at = '2026-01-01T00:00:00.000Z'

/** A page of a list that has these rows and no others. */
export const pageOf = <T = never>(...data: T[]): ListReply<T> => ({
  data,
  page: { skip: 0, limit: 50, total: data.length },
  next: null,
})

/** The first page of a list that has more rows than fit. */
export const firstOf = <T>(total: number, ...data: T[]): ListReply<T> => ({
  ...pageOf(...data),
  page: { skip: 0, limit: 50, total },
})

export const aCluster = (more: Partial<Cluster> = {}): Cluster => ({
  ...{ id: 'c1', name: 'north', displayName: 'North', iaas: { type: 'Sandbox' }, server: 'https://127.0.0.1:6443' },
  ...{ version: 'v1.35.0', simulated: false, clusterScoped: false, ingressNamespaces: [], health: 'healthy' },
  ...{ healthMessage: null, nodes: { ready: 2, total: 3 }, appCount: 7, spaceCount: 4, checkedAt: at, createdAt: at },
  ...{
    capacity: { cpuMillis: 8000, memoryBytes: 16 * 1024 ** 3, pods: 110 },
    requested: { cpuMillis: 2000, memoryBytes: 4 * 1024 ** 3, pods: 11 },
  },
  ...more,
})
