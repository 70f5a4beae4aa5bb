import type { V1Ingress, V1IngressClass, V1Service, V1ServicePort } from '@kubernetes/client-node'
import { duplicate, type FieldError, invalidValue, required, unsupported } from '../../field-error.ts'
import type { KubeObject } from '../../object-store.ts'
import { labelProblem, subdomainProblem } from './names.ts'
import { isPort } from './pods.ts'

const PORT_RULE = 'must be between 1 and 65535, inclusive'
const PROTOCOLS = ['SCTP', 'TCP', 'UDP']
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']

function portErrors(at: string, port: V1ServicePort, many: boolean): FieldError[] {
  const errors: FieldError[] = []
  const problem = port.name ? labelProblem(port.name) : undefined
  if (many && !port.name) errors.push(required(`${at}.name`))
  else if (problem) errors.push(invalidValue(`${at}.name`, port.name, problem))
  if (!isPort(port.port)) errors.push(invalidValue(`${at}.port`, port.port ?? 0, PORT_RULE))
  if (port.protocol && !PROTOCOLS.includes(port.protocol)) {
    errors.push(unsupported(`${at}.protocol`, port.protocol, PROTOCOLS))
  }
  const target = port.targetPort
  if (typeof target === 'number' && !isPort(target)) errors.push(invalidValue(`${at}.targetPort`, target, PORT_RULE))
  return errors
}

export function service(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1Service
  if (!spec) return [required('spec.ports')]
  const ports = spec.ports ?? []
  const errors = ports.flatMap((port, index) => portErrors(`spec.ports[${index}]`, port, ports.length > 1))
  if (spec.type && !TYPES.includes(spec.type)) errors.push(unsupported('spec.type', spec.type, TYPES))
  const headless = spec.clusterIP === 'None'
  if (ports.length === 0 && !headless && spec.type !== 'ExternalName') errors.push(required('spec.ports'))
  if (spec.type === 'ExternalName' && !spec.externalName) errors.push(required('spec.externalName'))
  if (headless && (spec.type === 'NodePort' || spec.type === 'LoadBalancer')) {
    errors.push(invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`))
  }
  const names = ports.map(({ name }) => name)
  for (const [index, name] of names.entries()) {
    if (name && names.indexOf(name) < index) errors.push(duplicate(`spec.ports[${index}].name`, name))
  }
  const keys = ports.map(({ port, protocol }) => `${protocol}/${port}`)
  for (const [index, key] of keys.entries()) {
    if (keys.indexOf(key) < index) {
      const { port, protocol } = ports[index] ?? {}
      errors.push(duplicate(`spec.ports[${index}]`, { port, protocol }))
    }
  }
  const before = (old as unknown as V1Service | undefined)?.spec
  const kept = before?.clusterIP && before.type !== 'ExternalName' && spec.type !== 'ExternalName'
  if (kept && spec.clusterIP !== before.clusterIP) {
    errors.push(invalidValue('spec.clusterIPs[0]', [spec.clusterIP], 'may not change once set'))
  }
  return errors
}

export function ingressClass(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1IngressClass
  const before = old as unknown as V1IngressClass | undefined
  if (!before || before.spec?.controller === spec?.controller) return []
  return [invalidValue('spec.controller', spec?.controller ?? '', 'field is immutable')]
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix']

export function ingress(draft: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1Ingress
  const rules = spec?.rules ?? []
  const errors: FieldError[] = []
  if (rules.length === 0 && !spec?.defaultBackend) {
    errors.push(invalidValue('spec', [], 'either `defaultBackend` or `rules` must be specified'))
  }
  for (const [number, rule] of rules.entries()) {
    const host = rule.host?.replace(/^\*\./, '')
    const problem = host ? subdomainProblem(host) : undefined
    if (problem) errors.push(invalidValue(`spec.rules[${number}].host`, rule.host, problem))
    for (const [index, path] of (rule.http?.paths ?? []).entries()) {
      const at = `spec.rules[${number}].http.paths[${index}]`
      if (!path.pathType) errors.push(required(`${at}.pathType`, 'pathType must be specified'))
      else if (!PATH_TYPES.includes(path.pathType)) {
        errors.push(unsupported(`${at}.pathType`, path.pathType, PATH_TYPES))
      } else if (path.pathType !== 'ImplementationSpecific' && !path.path?.startsWith('/')) {
        errors.push(invalidValue(`${at}.path`, path.path ?? '', 'must be an absolute path'))
      }
      const backend = path.backend?.service
      if (backend && !backend.name) errors.push(required(`${at}.backend.service.name`))
      if (backend && !backend.port) errors.push(required(`${at}.backend`, 'port name or number is required'))
    }
  }
  return errors
}
