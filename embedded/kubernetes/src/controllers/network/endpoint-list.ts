import type { Service, ServicePort } from '../engine/kinds.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { isReady } from '../workloads/pod-facts.ts'

export interface Member {
  pod: Pod
  ip: string
  ready: boolean
}

export interface TargetPort {
  name?: string
  port: number
  protocol: string
  appProtocol?: string
}

/** Pods behind a service, serving or about to. */
export function membersOf({ spec }: Service, pods: Pod[]): Member[] {
  return pods.flatMap((pod) => {
    const { podIP, phase } = pod.status ?? {}
    if (!podIP || phase === 'Succeeded' || phase === 'Failed' || pod.metadata.deletionTimestamp) return []
    return [{ pod, ip: podIP, ready: isReady(pod) || spec.publishNotReadyAddresses === true }]
  })
}

function targetOf({ port, targetPort }: ServicePort, { spec }: Pod): number | undefined {
  if (typeof targetPort === 'number') return targetPort || port
  if (targetPort === undefined || targetPort === '') return port
  for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
    const found = container.ports?.find(({ name }) => name === targetPort)
    if (found) return found.containerPort
  }
  return /^\d+$/.test(targetPort) ? Number(targetPort) : undefined
}

function portsOf({ spec }: Service, pod: Pod): TargetPort[] {
  return (spec.ports ?? []).flatMap((port) => {
    const target = targetOf(port, pod)
    if (target === undefined) return []
    return [{ name: port.name, port: target, protocol: port.protocol ?? 'TCP', appProtocol: port.appProtocol }]
  })
}

/** Members with the same target ports together: named ports may differ from pod to pod. */
export function groupedByPorts(service: Service, members: Member[]): { ports: TargetPort[]; members: Member[] }[] {
  const groups = new Map<string, { ports: TargetPort[]; members: Member[] }>()
  for (const member of members) {
    const ports = portsOf(service, member.pod)
    const id = JSON.stringify(ports)
    const group = groups.get(id) ?? { ports, members: [] }
    group.members.push(member)
    groups.set(id, group)
  }
  return [...groups.values()]
}
