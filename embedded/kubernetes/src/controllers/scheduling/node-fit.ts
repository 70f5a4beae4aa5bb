import { quantityNumber } from '../../machinery/quantity.ts'
import type { Node, Taint } from '../engine/kinds.ts'
import type { NodeSelectorTerm, Pod, PodSpec, Toleration } from '../engine/pod-kinds.ts'
import { carries, fulfils } from '../engine/selectors.ts'

export type Amounts = Map<string, number>

/** Resource requests of a pod: the sum of its containers, or its largest init container, and its sidecars. */
export function requestsOf(spec: PodSpec): Amounts {
  const total: Amounts = new Map()
  const add = (amounts: Record<string, string | number> | undefined) => {
    for (const [name, value] of Object.entries(amounts ?? {}))
      total.set(name, (total.get(name) ?? 0) + quantityNumber(value))
  }
  const asked = (resources: PodSpec['containers'][number]['resources']) => ({
    ...resources?.limits,
    ...resources?.requests,
  })
  for (const container of spec.containers) add(asked(container.resources))
  for (const init of spec.initContainers ?? []) {
    if (init.restartPolicy === 'Always') add(asked(init.resources))
  }
  for (const init of spec.initContainers ?? []) {
    if (init.restartPolicy === 'Always') continue
    for (const [name, value] of Object.entries(asked(init.resources))) {
      total.set(name, Math.max(total.get(name) ?? 0, quantityNumber(value)))
    }
  }
  add(spec.overhead)
  return total
}

export function tolerates(tolerations: Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some(
    ({ key, operator, value, effect }) =>
      (!effect || effect === taint.effect) &&
      (!key || key === taint.key) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
  )
}

function matchesTerm({ matchExpressions, matchFields }: NodeSelectorTerm, node: Node): boolean {
  if (!matchExpressions?.length && !matchFields?.length) return false
  const fields = { 'metadata.name': node.metadata.name }
  return fulfils(node.metadata.labels, matchExpressions) && fulfils(fields, matchFields)
}

/** nodeSelector and required node affinity. */
export function matchesNode(spec: PodSpec, node: Node): boolean {
  if (!carries(node.metadata.labels, spec.nodeSelector)) return false
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return !required || (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node))
}

/** The first taint that keeps a pod away. */
function repellingTaint(spec: PodSpec, node: Node): Taint | undefined {
  return node.spec?.taints?.find((taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(spec.tolerations, taint))
}

export function hostPortsOf(spec: PodSpec): string[] {
  return spec.containers.flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ hostPort, containerPort, protocol }) => {
      const port = hostPort ?? (spec.hostNetwork ? containerPort : undefined)
      return port ? [`${protocol ?? 'TCP'}/${port}`] : []
    }),
  )
}

/** Resources, pods and host ports that are in use on a node. */
export interface Load {
  used: Amounts
  pods: number
  ports: Map<string, number>
}

const REPELLED = 'node(s) were unschedulable'

/** Why a pod does not fit on a node, in Kubernetes' words; nothing when it does. */
export function misfits(pod: Pod, requests: Amounts, node: Node, load: Load): string[] {
  const { spec } = pod
  const cordoned = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }
  if (node.spec?.unschedulable && !tolerates(spec.tolerations, cordoned)) return [REPELLED]
  const taint = repellingTaint(spec, node)
  if (taint) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`]
  if (!matchesNode(spec, node)) return ["node(s) didn't match Pod's node affinity/selector"]
  if (hostPortsOf(spec).some((port) => load.ports.has(port))) {
    return ["node(s) didn't have free ports for the requested pod ports"]
  }
  const allocatable = node.status?.allocatable ?? {}
  const reasons = load.pods + 1 > quantityNumber(allocatable.pods ?? '110') ? ['Too many pods'] : []
  for (const [name, amount] of requests) {
    // The small excess absorbs what sums of fractions leave over.
    if (amount > 0 && (load.used.get(name) ?? 0) + amount > quantityNumber(allocatable[name]) * (1 + 1e-9)) {
      reasons.push(`Insufficient ${name}`)
    }
  }
  return reasons
}

/** `0/3 nodes are available: 1 node(s) …, 2 Insufficient cpu. preemption: …` */
export function unschedulableMessage(nodes: number, reasonsByNode: string[][]): string {
  const counts = new Map<string, number>()
  for (const reasons of reasonsByNode) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort()
  const full = reasonsByNode.filter((reasons) => reasons.every((one) => /^(Insufficient|Too many)/.test(one))).length
  const preemption = [
    full > 0 ? `${full} No preemption victims found for incoming pod` : '',
    nodes - full > 0 ? `${nodes - full} Preemption is not helpful for scheduling` : '',
  ].filter(Boolean)
  return `0/${nodes} nodes are available: ${parts.join(', ')}. preemption: 0/${nodes} nodes are available: ${preemption.join(', ')}.`
}
