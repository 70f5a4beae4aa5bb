import type { V1Container, V1PodSpec } from '@kubernetes/client-node'
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  missingReference,
  required,
  unsupported,
} from '../../field-error.ts'
import { quantityNumber } from '../../machinery/quantity.ts'
import { labelProblem } from './names.ts'

const PORT_RULE = 'must be between 1 and 65535, inclusive'
const PORT_NAME = /^(?=.*[a-z])[a-z0-9]([a-z0-9]|-(?!-))*(?<!-)$/
const PROTOCOLS = ['SCTP', 'TCP', 'UDP']
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never']
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const OPERATORS = ['Equal', 'Exists']
const MAX_SECONDS = 2_147_483_647
const ENV_RULE = "a valid environment variable name must consist only of printable ASCII characters other than '='"

export const isPort = (port: unknown): boolean => typeof port === 'number' && port >= 1 && port <= 65535

export function portNameProblem(name: string): string | undefined {
  if (name.length > 15) return 'must be no more than 15 characters'
  return PORT_NAME.test(name) ? undefined : 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'
}

const repeated = <T>(items: readonly T[]): number[] =>
  items.flatMap((item, index) => (item !== undefined && items.indexOf(item) < index ? [index] : []))

function portErrors(field: string, container: V1Container): FieldError[] {
  const errors: FieldError[] = []
  const ports = container.ports ?? []
  for (const [index, port] of ports.entries()) {
    const at = `${field}.ports[${index}]`
    if (port.containerPort === undefined || port.containerPort === 0) errors.push(required(`${at}.containerPort`))
    else if (!isPort(port.containerPort))
      errors.push(invalidValue(`${at}.containerPort`, port.containerPort, PORT_RULE))
    if (port.hostPort && !isPort(port.hostPort)) errors.push(invalidValue(`${at}.hostPort`, port.hostPort, PORT_RULE))
    if (port.protocol && !PROTOCOLS.includes(port.protocol)) {
      errors.push(unsupported(`${at}.protocol`, port.protocol, PROTOCOLS))
    }
    const problem = port.name ? portNameProblem(port.name) : undefined
    if (problem) errors.push(invalidValue(`${at}.name`, port.name, problem))
  }
  const names = ports.map(({ name }) => name || undefined)
  return [...errors, ...repeated(names).map((index) => duplicate(`${field}.ports[${index}].name`, names[index]))]
}

function amountErrors(field: string, { resources }: V1Container): FieldError[] {
  const { requests = {}, limits = {} } = resources ?? {}
  const negative = Object.entries({ requests, limits }).flatMap(([side, amounts]) =>
    Object.entries(amounts)
      .filter(([, amount]) => quantityNumber(amount) < 0)
      .map(([name, amount]) =>
        invalidValue(`${field}.resources.${side}[${name}]`, amount, 'must be greater than or equal to 0'),
      ),
  )
  const over = Object.entries(requests)
    .filter(([name, amount]) => limits[name] !== undefined && quantityNumber(amount) > quantityNumber(limits[name]))
    .map(([name, amount]) => {
      const why = `must be less than or equal to ${name} limit of ${limits[name]}`
      return invalidValue(`${field}.resources.requests`, amount, why)
    })
  return [...negative, ...over]
}

function mountErrors(field: string, container: V1Container, volumes: ReadonlySet<string>): FieldError[] {
  const mounts = container.volumeMounts ?? []
  const errors = mounts.flatMap((mount, index) => {
    const at = `${field}.volumeMounts[${index}]`
    const found: FieldError[] = []
    if (!mount.name) found.push(required(`${at}.name`))
    else if (!volumes.has(mount.name)) found.push(missingReference(`${at}.name`, mount.name))
    if (!mount.mountPath) found.push(required(`${at}.mountPath`))
    return found
  })
  const paths = mounts.map(({ mountPath }) => mountPath)
  const twice = repeated(paths).map((index) =>
    invalidValue(`${field}.volumeMounts[${index}].mountPath`, paths[index], 'must be unique'),
  )
  return [...errors, ...twice]
}

function envErrors(field: string, { env }: V1Container): FieldError[] {
  return (env ?? []).flatMap((variable, index) => {
    const at = `${field}.env[${index}]`
    if (!variable.name) return [required(`${at}.name`)]
    const errors: FieldError[] = []
    if (!/^[ -<>-~]+$/.test(variable.name)) errors.push(invalidValue(`${at}.name`, variable.name, ENV_RULE))
    if (variable.value && variable.valueFrom) {
      errors.push(invalidValue(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty'))
    }
    return errors
  })
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc']

function probeErrors(field: string, container: V1Container): FieldError[] {
  return PROBES.flatMap((name) => {
    const probe = container[name]
    if (!probe) return []
    const at = `${field}.${name}`
    const [first, ...more] = HANDLERS.filter((handler) => handler in probe)
    if (!first) return [required(at, 'must specify a handler type')]
    return more.map((handler) => forbiddenField(`${at}.${handler}`, 'may not specify more than 1 handler type'))
  })
}

function containerErrors(field: string, container: V1Container, volumes: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = []
  const problem = container.name ? labelProblem(container.name) : undefined
  if (!container.name) errors.push(required(`${field}.name`))
  else if (problem) errors.push(invalidValue(`${field}.name`, container.name, problem))
  if (!container.image) errors.push(required(`${field}.image`))
  else if (container.image !== container.image.trim()) {
    errors.push(invalidValue(`${field}.image`, container.image, 'must not have leading or trailing whitespace'))
  }
  if (container.imagePullPolicy && !PULL_POLICIES.includes(container.imagePullPolicy)) {
    errors.push(unsupported(`${field}.imagePullPolicy`, container.imagePullPolicy, PULL_POLICIES))
  }
  return [
    ...errors,
    ...portErrors(field, container),
    ...envErrors(field, container),
    ...mountErrors(field, container, volumes),
    ...probeErrors(field, container),
    ...amountErrors(field, container),
  ]
}

function volumeErrors(field: string, { volumes = [] }: V1PodSpec): FieldError[] {
  const errors = volumes.flatMap((volume, index) => {
    const at = `${field}.volumes[${index}]`
    if (!volume.name) return [required(`${at}.name`)]
    const problem = labelProblem(volume.name)
    const sources = Object.keys(volume).filter((key) => key !== 'name')
    return [
      ...(problem ? [invalidValue(`${at}.name`, volume.name, problem)] : []),
      ...sources.slice(1).map((source) => ({
        field: `${at}.${source}`,
        reason: 'FieldValueForbidden',
        message: 'Forbidden: may not specify more than 1 volume type',
      })),
    ]
  })
  const names = volumes.map(({ name }) => name)
  return [...errors, ...repeated(names).map((index) => duplicate(`${field}.volumes[${index}].name`, names[index]))]
}

/** Errors in the spec of a pod or of a pod template. `names` are volumes defined elsewhere. */
export function podSpecErrors(field: string, spec: V1PodSpec | undefined, names: readonly string[] = []): FieldError[] {
  if (!spec) return [required(`${field}.containers`)]
  const volumes = new Set([...(spec.volumes ?? []).map(({ name }) => name), ...names])
  const inits = spec.initContainers ?? []
  const mains = spec.containers ?? []
  const guests = spec.ephemeralContainers ?? []
  const errors = [
    ...volumeErrors(field, spec),
    ...mains.flatMap((container, index) => containerErrors(`${field}.containers[${index}]`, container, volumes)),
    ...inits.flatMap((container, index) => containerErrors(`${field}.initContainers[${index}]`, container, volumes)),
  ]
  if (mains.length === 0) errors.push(required(`${field}.containers`))
  for (const [index, { name, image }] of guests.entries()) {
    if (!name) errors.push(required(`${field}.ephemeralContainers[${index}].name`))
    if (!image) errors.push(required(`${field}.ephemeralContainers[${index}].image`))
  }
  const lists = { containers: mains, initContainers: inits, ephemeralContainers: guests }
  const all = Object.entries(lists).flatMap(([list, items]) =>
    items.map(({ name }, index) => ({ name, at: `${list}[${index}]` })),
  )
  for (const index of repeated(all.map(({ name }) => name))) {
    errors.push(duplicate(`${field}.${all[index]?.at}.name`, all[index]?.name))
  }
  if (spec.restartPolicy && !RESTART_POLICIES.includes(spec.restartPolicy)) {
    errors.push(unsupported(`${field}.restartPolicy`, spec.restartPolicy, RESTART_POLICIES))
  }
  for (const [index, { operator }] of (spec.tolerations ?? []).entries()) {
    if (!operator || OPERATORS.includes(operator)) continue
    errors.push(unsupported(`${field}.tolerations[${index}].operator`, operator, OPERATORS))
  }
  const { activeDeadlineSeconds: deadline } = spec
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_SECONDS)) {
    const why = `must be between 1 and ${MAX_SECONDS}, inclusive`
    errors.push(invalidValue(`${field}.activeDeadlineSeconds`, deadline, why))
  }
  if (spec.dnsPolicy && !DNS_POLICIES.includes(spec.dnsPolicy)) {
    errors.push(unsupported(`${field}.dnsPolicy`, spec.dnsPolicy, DNS_POLICIES))
  }
  return errors
}
