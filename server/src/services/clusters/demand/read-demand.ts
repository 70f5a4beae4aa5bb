import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Connections } from '../registry/connections.ts'
import { type Fields, fieldsOf, listOf } from '../workloads/fields.ts'
import { type Demands, demandsOf } from './demand.ts'

const defaultClass = 'storageclass.kubernetes.io/is-default-class'

/** Tells what manifests request on a cluster, with what its namespace and the cluster give where they say nothing. */
export function createDemandRead({ connections }: { connections: Pick<Connections, 'to' | 'row'> }) {
  return {
    /** The demands of each of several manifests for one namespace. */
    async demands(
      { tenantId, clusterId, namespace }: { tenantId: string; clusterId: string; namespace: string },
      manifests: readonly (readonly ManifestObject[])[],
    ): Promise<Demands[]> {
      const [connection, row] = await Promise.all([
        connections.to(tenantId, clusterId),
        connections.row(tenantId, clusterId),
      ])
      const [ranges, classes] = await Promise.all([
        connection.list('v1/limitranges', { namespace }),
        connection.list('storage.k8s.io/v1/storageclasses'),
      ])
      const around = {
        defaultRequests: defaultRequestsOf(ranges),
        defaultClass: classes.find(isDefault)?.metadata.name ?? null,
        nodes: row.facts.nodes.total,
      }
      return manifests.map((objects) => demandsOf(objects, around))
    },
  }
}

const isDefault = ({ metadata }: KubeObject) => metadata.annotations?.[defaultClass] === 'true'

/** Limit ranges give a container without a request their `defaultRequest`, and where they have none, their default limit. */
function defaultRequestsOf(ranges: readonly KubeObject[]): Fields {
  return Object.assign(
    {},
    ...ranges
      .flatMap(({ spec }) => listOf(fieldsOf(spec).limits))
      .filter(({ type }) => type === 'Container')
      .map((limit) => ({ ...fieldsOf(limit.default), ...fieldsOf(limit.defaultRequest) })),
  )
}
