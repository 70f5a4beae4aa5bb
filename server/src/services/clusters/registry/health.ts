import type { HealthCheck } from '@quayside/contract/clusters/endpoints'
import type { z } from 'zod'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { Capacity, ClusterFacts, HealthReport } from '../store.ts'
import { fieldsOf, listOf, textOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { capacityOf, isReadyNode } from '../workloads/present.ts'
import { bytesOf, cpuMillisOf } from '../workloads/quantity.ts'

type Check = z.infer<typeof HealthCheck>['checks'][number]

/** The result of one look at a cluster. */
export interface Look {
  report: HealthReport
  checks: Check[]
}

export const defaultClassAnnotation = 'storageclass.kubernetes.io/is-default-class'

/** Asks a cluster how it is. Does not throw when it is not well: that is the answer. */
export async function lookAt(connection: ClusterConnection): Promise<Look> {
  let version: string
  try {
    version = cleanText((await connection.version()).gitVersion, 40)
  } catch (error) {
    return failed(error, null)
  }
  try {
    const [nodes, pods, classes, system] = await Promise.all([
      connection.list('v1/nodes'),
      connection.list('v1/pods', { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' }),
      connection.list('storage.k8s.io/v1/storageclasses'),
      connection.get('v1/namespaces', undefined, 'kube-system'),
    ])
    const facts = { ...factsOf(nodes, pods), ...(system?.metadata.uid ? { uid: system.metadata.uid } : {}) }
    const checks = [
      { name: 'API server', state: 'ok' as const, message: version },
      checkNodes(facts),
      checkPods(pods),
      checkStorage(classes),
    ]
    const bad = checks.find(({ state }) => state === 'failed')
    const report = { health: bad ? ('degraded' as const) : ('healthy' as const), health_message: bad?.message ?? null }
    return { report: { ...report, version, facts }, checks }
  } catch (error) {
    return failed(error, version)
  }
}

function failed(error: unknown, version: string | null): Look {
  if (!(error instanceof Failure)) throw error
  const message = cleanText(error.message, 500)
  const health = error.code === 'cluster.unreachable' ? 'unreachable' : 'degraded'
  return {
    report: { health, health_message: message, version },
    checks: [{ name: 'API server', state: 'failed', message }],
  }
}

/** Capacity and readiness of the nodes, and the sum of the pods' requests. */
export function factsOf(nodes: readonly KubeObject[], pods: readonly KubeObject[]): ClusterFacts {
  const usable = nodes.map((node) => {
    const status = fieldsOf(node.status)
    return capacityOf(status.allocatable ?? status.capacity)
  })
  return {
    nodes: { ready: nodes.filter(isReadyNode).length, total: nodes.length },
    capacity: sum(usable),
    requested: sum(pods.map(requestsOf)),
  }
}

/** The scheduler's arithmetic: all containers together, or the largest init container when that is more. */
function requestsOf(pod: KubeObject): Capacity {
  const spec = fieldsOf(pod.spec)
  const read = (containers: unknown) =>
    listOf(containers).map((container) => {
      const { cpu, memory } = fieldsOf(fieldsOf(container.resources).requests)
      return { cpuMillis: cpuMillisOf(cpu), memoryBytes: bytesOf(memory), pods: 0 }
    })
  const running = sum(read(spec.containers))
  const init = read(spec.initContainers)
  return {
    cpuMillis: Math.max(running.cpuMillis, ...init.map(({ cpuMillis }) => cpuMillis)),
    memoryBytes: Math.max(running.memoryBytes, ...init.map(({ memoryBytes }) => memoryBytes)),
    pods: 1,
  }
}

function sum(parts: readonly Capacity[]): Capacity {
  const total = { cpuMillis: 0, memoryBytes: 0, pods: 0 }
  for (const part of parts) {
    total.cpuMillis += part.cpuMillis
    total.memoryBytes += part.memoryBytes
    total.pods += part.pods
  }
  return total
}

function checkNodes({ nodes }: ClusterFacts): Check {
  const message = `${nodes.ready} of ${nodes.total} nodes are ready`
  return { name: 'Nodes', state: nodes.total > 0 && nodes.ready === nodes.total ? 'ok' : 'failed', message }
}

function checkPods(pods: readonly KubeObject[]): Check {
  const waiting = pods.filter(({ status }) =>
    listOf(fieldsOf(status).conditions).some(({ type, status: said }) => type === 'PodScheduled' && said === 'False'),
  )
  if (waiting.length === 0) return { name: 'Scheduling', state: 'ok', message: 'Every pod has a node' }
  return { name: 'Scheduling', state: 'warning', message: `${waiting.length} pods find no node` }
}

function checkStorage(classes: readonly KubeObject[]): Check {
  const usual = classes.find(({ metadata }) => metadata.annotations?.[defaultClassAnnotation] === 'true')
  const name = 'Storage'
  if (usual)
    return { name, state: 'ok', message: `The default storage class is ${cleanText(textOf(usual.metadata.name), 253)}` }
  return { name, state: 'warning', message: 'There is no default storage class' }
}
