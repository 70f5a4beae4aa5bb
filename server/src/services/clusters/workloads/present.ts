import type {
  ClusterEvent,
  ClusterNode,
  KubeService,
  Pod,
  Pvc,
  ServiceAccount,
  Workload,
} from '@quayside/contract/clusters/endpoints'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Part } from '../releases/app-parts.ts'
import { conditionsOf, countOf, type Fields, fieldsOf, listOf, textOf, textsOf, timeOf } from './fields.ts'
import { cleanOrNull, cleanText } from './foreign-text.ts'
import { containersOf } from './pod-state.ts'
import { bytesOf, cpuMillisOf } from './quantity.ts'

type WithObject = Part & { object: KubeObject }

function place({ object }: WithObject) {
  return {
    name: cleanText(object.metadata.name, 253),
    namespace: cleanText(object.metadata.namespace, 63),
    createdAt: timeOf(object.metadata.creationTimestamp),
  }
}

export function toPod(part: WithObject, parents: ReadonlyMap<string, Part>): Pod {
  const status = fieldsOf(part.object.status)
  const containers = containersOf(part.object)
  const running = containers.filter(({ init }) => !init)
  const owner = part.parent === null ? undefined : parents.get(part.parent)
  return {
    ...place(part),
    phase: cleanText(status.phase, 40) || 'Pending',
    state: part.state.state,
    message: cleanOrNull(part.state.message),
    ready: running.filter(({ ready }) => ready).length,
    total: running.length,
    restarts: containers.reduce((sum, { restarts }) => sum + restarts, 0),
    node: cleanOrNull(fieldsOf(part.object.spec).nodeName, 253),
    ip: cleanOrNull(status.podIP, 45),
    owner: owner ? { kind: owner.kind, name: owner.name } : null,
    containers: containers.slice(0, 50).map((container) => ({
      ...container,
      name: cleanText(container.name, 63),
      image: cleanText(container.image, 500),
      state: cleanText(container.state, 100),
      message: cleanOrNull(container.message),
    })),
  }
}

const counts: Readonly<Record<string, (spec: Fields, status: Fields) => { ready: number; desired: number }>> = {
  DaemonSet: (_, status) => ({ ready: countOf(status.numberReady), desired: countOf(status.desiredNumberScheduled) }),
  Job: (spec, status) => ({ ready: countOf(status.succeeded), desired: countOf(spec.completions, 1) }),
  CronJob: (_, status) => ({ ready: listOf(status.active).length, desired: listOf(status.active).length }),
}

export function toWorkload(part: WithObject): Workload {
  const spec = fieldsOf(part.object.spec)
  const status = fieldsOf(part.object.status)
  const count =
    counts[part.kind] ?? (() => ({ ready: countOf(status.readyReplicas), desired: countOf(spec.replicas, 1) }))
  const template = part.kind === 'CronJob' ? fieldsOf(fieldsOf(spec.jobTemplate).spec).template : spec.template
  const images = listOf(fieldsOf(fieldsOf(template).spec).containers).map(({ image }) => cleanText(image, 500))
  const { state, message } = part.state
  return { kind: part.kind, ...place(part), state, message: cleanOrNull(message), ...count(spec, status), images }
}

export function toPvc(part: WithObject): Pvc {
  const spec = fieldsOf(part.object.spec)
  const status = fieldsOf(part.object.status)
  const size = fieldsOf(status.capacity).storage ?? fieldsOf(fieldsOf(spec.resources).requests).storage
  return {
    ...place(part),
    phase: cleanText(status.phase, 40) || 'Pending',
    state: part.state.state,
    storageClass: cleanOrNull(spec.storageClassName, 253),
    size: cleanOrNull(size, 40),
    accessModes: textsOf(spec.accessModes).map((mode) => cleanText(mode, 40)),
    volume: cleanOrNull(spec.volumeName, 253),
    message: cleanOrNull(part.state.message),
  }
}

export function toService(part: WithObject): KubeService {
  const spec = fieldsOf(part.object.spec)
  return {
    ...place(part),
    type: cleanText(spec.type, 40) || 'ClusterIP',
    state: part.state.state,
    clusterIp: spec.clusterIP === 'None' ? null : cleanOrNull(spec.clusterIP, 45),
    externalAddresses: externalAddressesOf(part.object),
    ports: listOf(spec.ports).map((port) => ({
      name: cleanOrNull(port.name, 63),
      port: countOf(port.port),
      targetPort: cleanText(String(port.targetPort ?? port.port ?? ''), 63),
      nodePort: typeof port.nodePort === 'number' ? port.nodePort : null,
      protocol: cleanText(port.protocol, 10) || 'TCP',
    })),
  }
}

/** Addresses that a load balancer gave the object; only names and IP addresses, because they become links. */
export function externalAddressesOf(object: KubeObject): string[] {
  const given = listOf(fieldsOf(fieldsOf(object.status).loadBalancer).ingress)
  const addresses = [
    ...given.map((one) => textOf(one.hostname) || textOf(one.ip)),
    ...textsOf(fieldsOf(object.spec).externalIPs),
  ]
  return addresses.filter(isHost)
}

export function isHost(text: string): boolean {
  return /^(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text) || /^[0-9a-fA-F:]{2,45}$/.test(text)
}

export function toServiceAccount(part: WithObject): ServiceAccount {
  const names = listOf(part.object.imagePullSecrets).map(({ name }) => cleanText(name, 253))
  return { ...place(part), imagePullSecrets: names.filter((name) => name !== '') }
}

export function toEvent(event: KubeObject): ClusterEvent {
  const about = fieldsOf(event.involvedObject)
  const series = fieldsOf(event.series)
  return {
    id: event.metadata.uid ?? event.metadata.name,
    type: cleanText(event.type, 20) || 'Normal',
    reason: cleanText(event.reason, 128),
    message: cleanText(event.message, 1000),
    object: {
      kind: cleanText(about.kind, 63),
      name: cleanText(about.name, 253),
      namespace: cleanOrNull(about.namespace, 63),
    },
    count: Math.max(1, countOf(series.count, countOf(event.count, 1))),
    at: eventTime(event),
  }
}

export function eventTime(event: KubeObject): string {
  const candidates = [
    fieldsOf(event.series).lastObservedTime,
    event.lastTimestamp,
    event.eventTime,
    event.metadata.creationTimestamp,
  ]
  return timeOf(candidates.find((one) => typeof one === 'string' && one !== ''))
}

const rolePrefix = 'node-role.kubernetes.io/'

export function toNode(node: KubeObject): ClusterNode {
  const status = fieldsOf(node.status)
  const info = fieldsOf(status.nodeInfo)
  const conditions = conditionsOf(status)
  const labels = Object.keys(node.metadata.labels ?? {})
  const internal = listOf(status.addresses).find(({ type }) => type === 'InternalIP')
  return {
    name: cleanText(node.metadata.name, 253),
    ready: isReadyNode(node),
    roles: labels
      .filter((label) => label.startsWith(rolePrefix))
      .map((label) => cleanText(label.slice(rolePrefix.length), 63)),
    version: cleanText(info.kubeletVersion, 63),
    os: cleanText(info.osImage, 100) || cleanText(info.operatingSystem, 63),
    internalIp: cleanOrNull(internal?.address, 45),
    capacity: capacityOf(status.capacity),
    conditions: conditions.map((one) => ({
      type: cleanText(one.type, 63),
      status: cleanText(one.status, 10),
      reason: cleanOrNull(one.reason, 128),
      message: cleanOrNull(one.message, 500),
    })),
    createdAt: timeOf(node.metadata.creationTimestamp),
  }
}

export function isReadyNode(node: KubeObject): boolean {
  return conditionsOf(fieldsOf(node.status)).some(({ type, status }) => type === 'Ready' && status === 'True')
}

export function capacityOf(resources: unknown): { cpuMillis: number; memoryBytes: number; pods: number } {
  const { cpu, memory, pods } = fieldsOf(resources)
  return { cpuMillis: cpuMillisOf(cpu), memoryBytes: bytesOf(memory), pods: bytesOf(pods) }
}
