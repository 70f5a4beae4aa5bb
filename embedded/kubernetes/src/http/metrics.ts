import { notFound } from '../api-error.ts'
import { formatQuantity, quantityNumber } from '../machinery/quantity.ts'
import type { KubeObject } from '../object-store.ts'
import { docOf, textOf } from '../store/doc.ts'
import { kubeTime } from '../store/names.ts'
import { hashShare } from './hash-share.ts'
import { matcherOf } from './objects/read-objects.ts'
import type { ResourceRequest } from './objects/resource-request.ts'
import { ok, type Reply } from './reply.ts'

const WINDOW = '15s'
const GROUP_VERSION = 'metrics.k8s.io/v1beta1'

interface Amount {
  cpu: number
  memory: number
}

const shown = ({ cpu, memory }: Amount) => ({
  cpu: formatQuantity({ nano: BigInt(Math.round(cpu * 1e9)), format: 'decimal' }),
  memory: `${Math.round(memory / 1024)}Ki`,
})

const envelope = (kind: string, { metadata }: KubeObject, now: number) => ({
  kind,
  apiVersion: GROUP_VERSION,
  metadata: {
    name: metadata.name,
    ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    labels: metadata.labels,
    creationTimestamp: kubeTime(now),
  },
  timestamp: kubeTime(now),
  window: WINDOW,
})

function podUse(request: ResourceRequest, pod: KubeObject): Map<string, Amount> {
  return request.context.kubelet()?.podUsage(pod.metadata.namespace ?? '', pod.metadata.name) ?? new Map()
}

function podMetrics(request: ResourceRequest, pod: KubeObject) {
  const containers = [...podUse(request, pod)].map(([name, use]) => ({ name, usage: shown(use) }))
  return { ...envelope('PodMetrics', pod, request.context.clock.now()), containers }
}

/** A node uses what its pods use, and a little for itself. */
function nodeMetrics(request: ResourceRequest, node: KubeObject) {
  const { context } = request
  const total: Amount = {
    cpu: 0.08 + 0.08 * hashShare(node.metadata.uid),
    memory: quantityNumber(docOf(docOf(node.status).allocatable).memory) * 0.02,
  }
  for (const pod of context.store.list('/pods')) {
    if (docOf(pod.spec).nodeName !== node.metadata.name) continue
    for (const use of podUse(request, pod).values()) {
      total.cpu += use.cpu
      total.memory += use.memory
    }
  }
  return { ...envelope('NodeMetrics', node, context.clock.now()), usage: shown(total) }
}

const isRunning = (pod: KubeObject): boolean => docOf(pod.status).phase === 'Running'

/** Simulated use of CPU and memory, in the manner of the metrics server. */
export function metricsReply(request: ResourceRequest): Reply {
  const { context, path, type } = request
  const isPods = type.plural === 'pods'
  const storage = isPods ? '/pods' : '/nodes'
  const measure = isPods ? podMetrics : nodeMetrics
  if (path.name) {
    const object = context.store.get(storage, isPods ? path.namespace : undefined, path.name)
    if (!object || (isPods && !isRunning(object)))
      throw notFound({ group: type.group, resource: type.plural }, textOf(path.name))
    return ok(measure(request, object))
  }
  const match = matcherOf({ ...request, type: { ...type, storage } })
  const objects = context.store.list(storage, isPods ? path.namespace : undefined)
  const chosen = objects.filter((object) => (!isPods || isRunning(object)) && (!match || match(object)))
  return ok({
    kind: `${type.kind}List`,
    apiVersion: GROUP_VERSION,
    metadata: {},
    items: chosen.map((object) => measure(request, object)),
  })
}
