import type { Collection } from '@quayside/contract/metrics/endpoints'
import type { CollectionStore } from './store.ts'

interface CollectionDeps {
  store: Pick<CollectionStore, 'of'>
  hasPrometheus: boolean
  everySeconds: number
  clusterNames(tenantId: string): Promise<ReadonlyMap<string, { displayName: string }>>
}

/** Rounds that may fail before the figures count as old. */
const roundsTillStale = 4
const graceSeconds = 15

const off = 'Metrics are off. Whoever operates the portal can set PROMETHEUS_URL.'
const waiting = 'Nothing has been collected yet.'
const overdue = 'No new figures have arrived.'

/** Tells how the figures of clusters arrive. */
export function createCollections({ store, hasPrometheus, everySeconds, clusterNames }: CollectionDeps) {
  function stateOf(at: Date | null, problem: string | null, oldest: number): Pick<Collection, 'state' | 'message'> {
    if (!hasPrometheus) return { state: 'off', message: off }
    if (at === null) return { state: 'waiting', message: problem ?? waiting }
    if (at.getTime() < oldest) return { state: 'stale', message: problem ?? overdue }
    return { state: 'current', message: problem }
  }

  return async function collections(tenantId: string, clusterIds: readonly string[]): Promise<Collection[]> {
    const [names, rows] = await Promise.all([clusterNames(tenantId), store.of(tenantId, clusterIds)])
    const oldest = Date.now() - (everySeconds * roundsTillStale + graceSeconds) * 1000
    return clusterIds.map((clusterId) => {
      const { collected_at: at = null, problem = null } = rows.find((row) => row.cluster_id === clusterId) ?? {}
      const clusterName = names.get(clusterId)?.displayName ?? clusterId
      return { clusterId, clusterName, at: at?.toISOString() ?? null, ...stateOf(at, problem, oldest) }
    })
  }
}
export type Collections = ReturnType<typeof createCollections>
