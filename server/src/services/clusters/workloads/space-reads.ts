import type { ClusterEvent } from '@quayside/contract/clusters/endpoints'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { Failure, fail } from '../../../platform/http/errors.ts'
import type { ClusterPorts } from '../ports.ts'
import type { createConnections } from '../registry/connections.ts'
import type { Store } from '../store.ts'
import { withoutMessage } from './events.ts'
import { fieldsOf, textOf } from './fields.ts'
import { toEvent } from './present.ts'
import { quantityOf } from './quantity.ts'

interface Deps {
  space: ClusterPorts['space']
  connections: Pick<ReturnType<typeof createConnections>, 'to'>
  store: Pick<Store, 'all'>
}
const clustersAtOnce = 4

/** Usage of one counted resource of a space on one of its clusters. */
interface QuotaUse {
  clusterName: string
  resource: string
  used: string
  hard: string
  /** Part of what is allowed that is used; more than 1 where the limit was lowered. */
  share: number
}

/** Things that the clusters of a space report, and the names of those clusters that did not answer. */
interface Reported<T> {
  found: T[]
  missing: string[]
}

/** Reads what the clusters of a space tell of its namespace. */
export function createSpaceReads({ space, connections, store }: Deps) {
  async function onEach<T>(
    tenantId: string,
    spaceId: string,
    path: string,
    read: (
      object: Awaited<ReturnType<Awaited<ReturnType<typeof connections.to>>['list']>>[number],
      clusterName: string,
    ) => T[],
  ): Promise<Reported<T>> {
    const place = await space(tenantId, spaceId)
    if (!place) throw fail('space.not-found')
    const names = new Map((await store.all(tenantId)).map((row) => [row.id, row.display_name]))
    const failures: { error: Failure; name: string }[] = []
    const each = await mapLimit(clustersAtOnce, place.clusterIds, async (clusterId) => {
      const name = names.get(clusterId) ?? ''
      try {
        const connection = await connections.to(tenantId, clusterId)
        const objects = await connection.list(path, { namespace: place.namespace })
        return objects.flatMap((object) => read(object, name))
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failures.push({ error, name })
        return []
      }
    })
    // Nothing is known then, and why is said in the words of a cluster.
    if (failures[0] && failures.length === each.length) throw failures[0].error
    return { found: each.flat(), missing: failures.map(({ name }) => name).sort() }
  }

  return {
    /** Newest first; messages may repeat secrets of apps. */
    async eventsOfSpace(
      tenantId: string,
      spaceId: string,
      withMessages: boolean,
    ): Promise<Reported<ClusterEvent & { clusterName: string }>> {
      const { found, missing } = await onEach(tenantId, spaceId, 'v1/events', (object, clusterName) => {
        const event = toEvent(object)
        return [{ ...(withMessages ? event : withoutMessage(event)), clusterName }]
      })
      return { found: found.sort((a, b) => b.at.localeCompare(a.at)), missing }
    },

    /** The fullest first. */
    async quotaOfSpace(tenantId: string, spaceId: string): Promise<Reported<QuotaUse>> {
      const { found, missing } = await onEach(tenantId, spaceId, 'v1/resourcequotas', (object, clusterName) => {
        const { hard, used } = fieldsOf(object.status)
        return Object.entries(fieldsOf(hard)).map(([resource, limit]) => {
          const taken = fieldsOf(used)[resource]
          const most = quantityOf(limit)
          return {
            ...{ clusterName, resource, hard: textOf(limit), used: textOf(taken) || '0' },
            share: most > 0 ? quantityOf(taken) / most : 0,
          }
        })
      })
      return { found: found.sort((a, b) => b.share - a.share || a.resource.localeCompare(b.resource)), missing }
    },
  }
}
