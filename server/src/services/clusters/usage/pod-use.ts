import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { fieldsOf, listOf, textOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { quantityOf } from '../workloads/quantity.ts'

/** Cores or bytes. Null: the cluster has not measured it, or it is not set. */
interface Amounts {
  usage: number | null
  requests: number | null
  limits: number | null
}
interface ContainerUse {
  name: string
  cpu: Amounts
  memory: Amounts
}
export interface PodUse {
  namespace: string
  name: string
  /** The Helm release that its controller, or the pod itself, belongs to. */
  release: string | null
  containers: ContainerUse[]
}
export interface NodeUse {
  name: string
  cpu: { usage: number | null; capacity: number | null }
  memory: { usage: number | null; capacity: number | null }
}

const amountOf = (amounts: unknown, resource: 'cpu' | 'memory'): number | null => {
  const given = fieldsOf(amounts)[resource]
  return given === undefined || given === null ? null : quantityOf(given)
}

/** The containers of a pod, with sidecars, that go on running; `measured` is its PodMetrics. */
export function containersOf(pod: KubeObject, measured: KubeObject | undefined): ContainerUse[] {
  const spec = fieldsOf(pod.spec)
  const sidecars = listOf(spec.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always')
  const usage = new Map(listOf(measured?.containers).map(({ name, usage }) => [textOf(name), usage]))
  return [...listOf(spec.containers), ...sidecars].map(({ name, resources }) => {
    const { requests, limits } = fieldsOf(resources)
    const of = (resource: 'cpu' | 'memory'): Amounts => ({
      usage: amountOf(usage.get(textOf(name)), resource),
      requests: amountOf(requests, resource),
      limits: amountOf(limits, resource),
    })
    return { name: cleanText(textOf(name), 253), cpu: of('cpu'), memory: of('memory') }
  })
}

/** The use of a node; `measured` is its NodeMetrics. */
export function nodeUseOf(measured: KubeObject, node: KubeObject | undefined): NodeUse {
  const { allocatable, capacity } = fieldsOf(node?.status)
  const of = (resource: 'cpu' | 'memory') => ({
    usage: amountOf(measured.usage, resource),
    capacity: amountOf(allocatable ?? capacity, resource),
  })
  return { name: cleanText(measured.metadata.name, 253), cpu: of('cpu'), memory: of('memory') }
}
