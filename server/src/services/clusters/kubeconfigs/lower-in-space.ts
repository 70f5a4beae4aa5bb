import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import type { Connections } from '../registry/connections.ts'
import type { KubeconfigStore } from './store.ts'

const atOnce = 4

/**
 * Lowers all kubeconfigs of a space on a cluster to reading, and returns when the cluster has it: before anything there
 * gets rights outside of the space. Throws where one of them cannot be lowered.
 */
export function createLowerInSpace({
  store,
  connections,
}: {
  store: KubeconfigStore
  connections: Pick<Connections, 'to'>
}) {
  return async (place: { tenantId: string; clusterId: string; spaceId: string }): Promise<void> => {
    const { tenantId, clusterId, spaceId } = place
    const rows = await store.ofPlace(place)
    if (rows.length === 0) return
    const connection = await connections.to(tenantId, clusterId)
    await mapLimit(atOnce, rows, async ({ id, namespace, role, ended_at }) => {
      if (ended_at !== null) {
        await connection.endPersonAccess({ id, namespace })
        await store.setRemoved(tenantId, id)
      } else if (role !== 'viewer') {
        await connection.bindPerson({ id, namespace, role: 'viewer', tenantId, spaceId, clusterId })
        await store.setRole(tenantId, id, 'viewer')
      }
    })
  }
}
