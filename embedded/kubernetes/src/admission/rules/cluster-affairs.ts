import type {
  CoreV1Event,
  V1Lease,
  V1LimitRange,
  V1PodDisruptionBudget,
  V1PriorityClass,
  V1ResourceQuota,
} from '@kubernetes/client-node'
import { type FieldError, forbiddenField, invalidValue } from '../../field-error.ts'
import { quantityNumber } from '../../machinery/quantity.ts'
import type { KubeObject } from '../../object-store.ts'

const MAX_PRIORITY = 1_000_000_000
const PERCENT = /^[0-9]+%$/
const PERCENT_RULE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"

/** Priorities of one's own stay below those of the system, and as they were made. */
export function priorityClass(draft: KubeObject, old?: KubeObject): FieldError[] {
  const { value = 0 } = draft as unknown as V1PriorityClass
  const { name } = draft.metadata
  if (old) {
    const why = 'may not be changed in an update.'
    return (old as unknown as V1PriorityClass).value === value ? [] : [forbiddenField('value', why)]
  }
  if (name.startsWith('system-')) {
    if (name === 'system-cluster-critical' || name === 'system-node-critical') return []
    const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`
    return [forbiddenField('metadata.name', why)]
  }
  if (value <= MAX_PRIORITY) return []
  return [forbiddenField('value', `maximum allowed value of a user defined priority is ${MAX_PRIORITY}`)]
}

export function disruptionBudget(draft: KubeObject): FieldError[] {
  const { spec } = draft as unknown as V1PodDisruptionBudget
  const { minAvailable, maxUnavailable } = spec ?? {}
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    return [invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set')]
  }
  return Object.entries({ minAvailable, maxUnavailable }).flatMap(([name, amount]) => {
    const field = `spec.${name}`
    if (typeof amount === 'string' && !PERCENT.test(amount)) return [invalidValue(field, amount, PERCENT_RULE)]
    if (typeof amount !== 'number' || amount >= 0) return []
    return [invalidValue(field, amount, 'must be greater than or equal to 0')]
  })
}

export function lease(draft: KubeObject): FieldError[] {
  const { leaseDurationSeconds } = (draft as unknown as V1Lease).spec ?? {}
  if (leaseDurationSeconds === undefined || leaseDurationSeconds > 0) return []
  return [invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')]
}

/** Events of things that are in no namespace are kept in the default one. */
export function event(draft: KubeObject): FieldError[] {
  const { involvedObject, metadata } = draft as unknown as CoreV1Event
  const about = involvedObject?.namespace ?? ''
  if (about === metadata.namespace || about === '') return []
  return [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')]
}

const STANDARD = new Set(
  ['requests.', 'limits.', '']
    .flatMap((side) => ['cpu', 'memory', 'ephemeral-storage'].map((name) => `${side}${name}`))
    .concat('requests.storage', 'pods', 'services', 'services.nodeports', 'services.loadbalancers', 'secrets')
    .concat('configmaps', 'persistentvolumeclaims', 'replicationcontrollers', 'resourcequotas'),
)

/** A quota limits what it knows, or something with a qualified name. */
export function quota(draft: KubeObject): FieldError[] {
  const { hard } = (draft as unknown as V1ResourceQuota).spec ?? {}
  const unknown = Object.keys(hard ?? {}).filter(
    (name) => !STANDARD.has(name) && !name.includes('/') && !/^(requests\.)?hugepages-/.test(name),
  )
  return unknown.flatMap((name) => {
    const field = `spec.hard[${name}]`
    return [
      invalidValue(field, name, 'must be a standard resource type or fully qualified'),
      invalidValue(field, name, 'must be a standard resource for quota'),
    ]
  })
}

/** Defaults have to be within the bounds that come with them. */
export function limitRange(draft: KubeObject): FieldError[] {
  const { limits } = (draft as unknown as V1LimitRange).spec ?? {}
  return (limits ?? []).flatMap((item, index) => {
    const { max = {}, defaultRequest = {} } = item
    const usual = (item as { default?: Record<string, string> }).default ?? {}
    const above = (side: string, words: string, amounts: Record<string, string>) =>
      Object.entries(amounts)
        .filter(([name, amount]) => max[name] !== undefined && quantityNumber(amount) > quantityNumber(max[name]))
        .map(([name, amount]) => {
          const why = `${words} value ${amount} is greater than max value ${max[name]}`
          return invalidValue(`spec.limits[${index}].${side}[${name}]`, amount, why)
        })
    return [...above('defaultRequest', 'default request', defaultRequest), ...above('default', 'default', usual)]
  })
}
