import type { V1Service, V1ServiceSpec } from '@kubernetes/client-node'
import { type FieldError, invalidObject, invalidValue } from '../field-error.ts'
import type { KubeObject, ObjectStore } from '../object-store.ts'

/** 10.96.0.0/16; the lowest addresses are left for services that ask for theirs by number. */
const PREFIX = '10.96.'
const FIRST = 256
const LAST = 256 * 256 - 2
const FIRST_PORT = 30_000
const LAST_PORT = 32_767

const specOf = (service: KubeObject): V1ServiceSpec => (service as unknown as V1Service).spec ?? {}

/** Hands out cluster addresses and node ports, and knows which are taken. */
export interface ServiceAddresses {
  assign(draft: KubeObject, old?: KubeObject): void
}

const portsOf = (service: KubeObject): number[] => {
  const spec = specOf(service)
  const ports = (spec.ports ?? []).flatMap(({ nodePort }) => nodePort ?? [])
  return spec.healthCheckNodePort ? [...ports, spec.healthCheckNodePort] : ports
}

const inRange = (address: string): boolean => {
  const match = /^10\.96\.(\d{1,3})\.(\d{1,3})$/.exec(address)
  return match !== null && Number(match[1]) < 256 && Number(match[2]) < 256
}

export function createServiceAddresses(store: ObjectStore): ServiceAddresses {
  const { addresses, ports } = takenBy(store)
  let nextAddress = FIRST
  let nextPort = FIRST_PORT

  function freeAddress(): string {
    for (let tries = FIRST; tries <= LAST; tries += 1) {
      const number = nextAddress
      nextAddress = nextAddress >= LAST ? FIRST : nextAddress + 1
      const ip = `${PREFIX}${number >> 8}.${number & 255}`
      if (!addresses.has(ip) && (number & 255) !== 0) return ip
    }
    throw new Error('the range of cluster addresses is used up')
  }

  function freePort(spoken: ReadonlySet<number>): number {
    for (let tries = FIRST_PORT; tries <= LAST_PORT; tries += 1) {
      // A step that shares no divisor with the size of the range visits all of it, and neighbours differ visibly.
      nextPort = FIRST_PORT + ((nextPort - FIRST_PORT + 1117) % (LAST_PORT - FIRST_PORT + 1))
      if (!ports.has(nextPort) && !spoken.has(nextPort)) return nextPort
    }
    throw new Error('the range of node ports is used up')
  }

  function assignAddress(spec: V1ServiceSpec, uid: string, errors: FieldError[]): void {
    const asked = spec.clusterIP
    if (asked && asked !== 'None') {
      const owner = addresses.get(asked)
      if (!inRange(asked)) {
        const why =
          'failed to allocate IP: the provided IP is not in the valid range. The range of valid IPs is 10.96.0.0/16'
        errors.push(invalidValue('spec.clusterIPs', [asked], why))
      } else if (owner !== undefined && owner !== uid) {
        errors.push(
          invalidValue('spec.clusterIPs', [asked], `failed to allocate IP ${asked}: provided IP is already allocated`),
        )
      }
    }
    spec.clusterIP = asked || freeAddress()
    spec.clusterIPs = [spec.clusterIP]
  }

  function assignPorts(spec: V1ServiceSpec, uid: string, errors: FieldError[]): void {
    const spoken = new Set((spec.ports ?? []).flatMap(({ nodePort }) => nodePort ?? []))
    for (const [index, port] of (spec.ports ?? []).entries()) {
      const at = `spec.ports[${index}].nodePort`
      if (!port.nodePort) {
        port.nodePort = freePort(spoken)
        spoken.add(port.nodePort)
      } else if (port.nodePort < FIRST_PORT || port.nodePort > LAST_PORT) {
        const why = `provided port is not in the valid range. The range of valid ports is ${FIRST_PORT}-${LAST_PORT}`
        errors.push(invalidValue(at, port.nodePort, why))
      } else if ((ports.get(port.nodePort) ?? uid) !== uid) {
        errors.push(invalidValue(at, port.nodePort, 'provided port is already allocated'))
      }
    }
    const wantsHealth = spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'
    if (wantsHealth && !spec.healthCheckNodePort) spec.healthCheckNodePort = freePort(spoken)
  }

  return {
    assign(draft, old) {
      const spec = specOf(draft)
      const { uid, name } = draft.metadata
      const errors: FieldError[] = []
      if (spec.type === 'ExternalName') {
        delete spec.clusterIP
        delete spec.clusterIPs
        return
      }
      const hasNodePorts =
        spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)
      if (old) inherit(spec, specOf(old))
      if (!hasNodePorts) leaveOutNodePorts(spec)
      assignAddress(spec, uid, errors)
      if (hasNodePorts) assignPorts(spec, uid, errors)
      if (errors.length > 0) throw invalidObject('', 'Service', name, errors)
    },
  }
}

/** Addresses and ports that services have, by the id of the service; it follows the store. */
function takenBy(store: ObjectStore) {
  const addresses = new Map<string, string>()
  const ports = new Map<number, string>()

  const forget = (service: KubeObject) => {
    const { uid } = service.metadata
    for (const ip of specOf(service).clusterIPs ?? []) if (addresses.get(ip) === uid) addresses.delete(ip)
    for (const port of portsOf(service)) if (ports.get(port) === uid) ports.delete(port)
  }
  const note = (service: KubeObject) => {
    for (const ip of specOf(service).clusterIPs ?? []) if (ip !== 'None') addresses.set(ip, service.metadata.uid)
    for (const port of portsOf(service)) ports.set(port, service.metadata.uid)
  }
  for (const service of store.list('/services')) note(service)
  store.subscribe((resource, event) => {
    if (resource !== '/services') return
    if (event.type === 'MODIFIED') forget(event.old)
    if (event.type === 'DELETED') forget(event.object)
    else note(event.object)
  })
  return { addresses, ports }
}

/** A service keeps what it has when the update does not speak of it. */
function inherit(spec: V1ServiceSpec, before: V1ServiceSpec): void {
  if (!spec.clusterIP && before.clusterIP && spec.type !== 'ExternalName' && before.type !== 'ExternalName') {
    spec.clusterIP = before.clusterIP
  }
  spec.healthCheckNodePort ??= before.healthCheckNodePort
  for (const port of spec.ports ?? []) {
    const same = before.ports?.find((one) => one.port === port.port && one.protocol === port.protocol)
    if (!port.nodePort && same?.nodePort) port.nodePort = same.nodePort
  }
}

function leaveOutNodePorts(spec: V1ServiceSpec): void {
  for (const port of spec.ports ?? []) delete port.nodePort
  if (spec.type !== 'ClusterIP') return
  delete spec.healthCheckNodePort
  if (!spec.externalIPs?.length) delete spec.externalTrafficPolicy
}
