import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { KubeRefusal } from '../../../adapters/kubernetes/transport.ts'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Connections } from '../registry/connections.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { createPodReleases } from './pod-releases.ts'
import { containersOf, type NodeUse, nodeUseOf, type PodUse } from './pod-use.ts'
import { type ClaimUse, createSpaceAssets, type LoadBalancerUse } from './space-assets.ts'

export interface ClusterUse {
  pods: PodUse[]
  nodes: NodeUse[]
  claims: ClaimUse[]
  loadBalancers: LoadBalancerUse[]
}

const api = 'metrics.k8s.io/v1beta1'
const namespacesAtOnce = 4
const namesOf = (objects: readonly KubeObject[]) => new Map(objects.map((object) => [object.metadata.name, object]))

/** Reads what pods of some namespaces and nodes use, from the metrics API of their cluster. */
export function createUsageRead({ connections }: { connections: Pick<Connections, 'to'> }) {
  const releases = createPodReleases()
  const assets = createSpaceAssets()

  /** Each call has 3 seconds; none begins after `maxWaitMs`. */
  async function usage(
    { tenantId, clusterId }: { tenantId: string; clusterId: string },
    namespaces: readonly string[],
    maxWaitMs: number,
  ): Promise<ClusterUse> {
    const deadline = performance.now() + maxWaitMs
    const connection = await connections.to(tenantId, clusterId)
    const releaseOf = releases(clusterId, connection, deadline)
    const nodes = await readNodes(connection)
    const each = await mapLimit(namespacesAtOnce, namespaces, async (namespace) => {
      if (performance.now() > deadline)
        throw fail('cluster.unreachable', { message: 'The cluster did not answer in time.' })
      const [measured, all] = await Promise.all([
        connection.list(`${api}/pods`, { namespace }),
        connection.list('v1/pods', { namespace, fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' }),
      ])
      const byName = namesOf(measured)
      const pods: PodUse[] = []
      const known: { pod: KubeObject; release: string | null }[] = []
      for (const pod of all) {
        const { name } = pod.metadata
        const containers = containersOf(pod, byName.get(name))
        const release = await releaseOf(pod)
        known.push({ pod, release })
        pods.push({ namespace, name: cleanText(name, 253), release, containers })
      }
      return { pods, ...(await assets({ clusterId, namespace }, connection, known)) }
    })
    return {
      nodes,
      pods: each.flatMap(({ pods }) => pods),
      claims: each.flatMap(({ claims }) => claims),
      loadBalancers: each.flatMap(({ loadBalancers }) => loadBalancers),
    }
  }

  return { usage }
}

/** No nodes where the portal may not read those of the whole cluster. */
async function readNodes(connection: ClusterConnection): Promise<NodeUse[]> {
  try {
    const [measured, nodes] = await Promise.all([connection.list(`${api}/nodes`), connection.list('v1/nodes')])
    const byName = namesOf(nodes)
    return measured.map((one) => nodeUseOf(one, byName.get(one.metadata.name)))
  } catch (error) {
    if (!(error instanceof KubeRefusal)) throw error
    if (error.httpStatus === 403) return []
    if (error.httpStatus !== 404) throw error
    throw fail('cluster.refused', {
      message: 'This cluster has no metrics API (metrics.k8s.io). Install metrics-server on it.',
    })
  }
}
