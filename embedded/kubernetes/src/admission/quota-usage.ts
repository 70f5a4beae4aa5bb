import type { V1PersistentVolumeClaim, V1Pod, V1PodSpec, V1ResourceQuotaSpec, V1Service } from '@kubernetes/client-node'
import { formatQuantity, parseQuantity } from '../machinery/quantity.ts'
import type { GroupResource, KubeObject, ObjectStore } from '../object-store.ts'

/** Amounts in billionths, by the names that quotas use. */
export type Usage = Map<string, bigint>

const ONE = 1_000_000_000n
const COUNTED: Partial<Record<GroupResource, string>> = {
  '/pods': 'pods',
  '/services': 'services',
  '/secrets': 'secrets',
  '/configmaps': 'configmaps',
  '/persistentvolumeclaims': 'persistentvolumeclaims',
  '/replicationcontrollers': 'replicationcontrollers',
  '/resourcequotas': 'resourcequotas',
}

export const amount = (source: unknown): bigint => parseQuantity(source)?.nano ?? 0n

/** Amount of one resource that a pod reserves: the sum of its containers, or its largest init container if more. */
function podAmount(spec: V1PodSpec, side: 'requests' | 'limits', name: string): bigint {
  const of = (container: V1PodSpec['containers'][number]) => amount(container.resources?.[side]?.[name])
  const sum = spec.containers.reduce((total, container) => total + of(container), 0n)
  const inits = (spec.initContainers ?? []).map(of)
  return [sum, ...inits].reduce((most, one) => (one > most ? one : most), 0n)
}

function podUsage(pod: V1Pod): Usage {
  const usage: Usage = new Map()
  const { spec, status } = pod
  if (!spec || status?.phase === 'Succeeded' || status?.phase === 'Failed') return usage
  usage.set('pods', ONE)
  for (const name of ['cpu', 'memory', 'ephemeral-storage']) {
    const requests = podAmount(spec, 'requests', name)
    usage.set(name, requests)
    usage.set(`requests.${name}`, requests)
    usage.set(`limits.${name}`, podAmount(spec, 'limits', name))
  }
  return usage
}

function claimUsage({ spec }: V1PersistentVolumeClaim): Usage {
  const storage = amount(spec?.resources?.requests?.storage)
  const usage: Usage = new Map([
    ['persistentvolumeclaims', ONE],
    ['requests.storage', storage],
  ])
  const { storageClassName: name } = spec ?? {}
  if (name) {
    usage.set(`${name}.storageclass.storage.k8s.io/requests.storage`, storage)
    usage.set(`${name}.storageclass.storage.k8s.io/persistentvolumeclaims`, ONE)
  }
  return usage
}

function serviceUsage({ spec }: V1Service): Usage {
  const ports = BigInt((spec?.ports ?? []).filter(({ nodePort }) => nodePort).length)
  const usage: Usage = new Map([['services', ONE]])
  if (spec?.type === 'LoadBalancer') usage.set('services.loadbalancers', ONE)
  if (spec?.type === 'NodePort' || spec?.type === 'LoadBalancer') usage.set('services.nodeports', ports * ONE)
  return usage
}

const countName = (resource: GroupResource): string => {
  const [group, plural] = resource.split('/')
  return group ? `count/${plural}.${group}` : `count/${plural}`
}

/** Amounts that one object counts for in a quota. */
export function usageOf(resource: GroupResource, object: KubeObject): Usage {
  const own: Usage =
    resource === '/pods'
      ? podUsage(object as unknown as V1Pod)
      : resource === '/persistentvolumeclaims'
        ? claimUsage(object as unknown as V1PersistentVolumeClaim)
        : resource === '/services'
          ? serviceUsage(object as unknown as V1Service)
          : new Map()
  const counted = COUNTED[resource]
  if (counted && !own.has(counted) && resource !== '/pods') own.set(counted, ONE)
  own.set(countName(resource), ONE)
  return own
}

function scopeMatches(scope: string, pod: V1Pod, values: readonly string[] | undefined, operator: string): boolean {
  const { spec, status } = pod
  const ends = spec?.activeDeadlineSeconds !== undefined
  switch (scope) {
    case 'Terminating':
      return ends
    case 'NotTerminating':
      return !ends
    case 'BestEffort':
      return status?.qosClass === 'BestEffort'
    case 'NotBestEffort':
      return status?.qosClass !== 'BestEffort'
    case 'PriorityClass': {
      const name = spec?.priorityClassName
      if (operator === 'Exists') return name !== undefined
      if (operator === 'DoesNotExist') return name === undefined
      const listed = name !== undefined && (values?.includes(name) ?? false)
      return operator === 'NotIn' ? !listed : listed
    }
    default:
      return false
  }
}

/** Tells whether a quota speaks of this object: one with scopes speaks of some pods only. */
export function quotaCovers(spec: V1ResourceQuotaSpec, resource: GroupResource, object: KubeObject): boolean {
  const scopes = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: undefined })),
    ...(spec.scopeSelector?.matchExpressions ?? []),
  ]
  if (scopes.length === 0) return true
  if (resource !== '/pods') return false
  const pod = object as unknown as V1Pod
  return scopes.every(({ scopeName, operator, values }) => scopeMatches(scopeName, pod, values, operator))
}

/** Resources whose objects are counted under a name in a quota. */
export function resourcesCounted(name: string): GroupResource[] {
  if (name.startsWith('count/')) {
    const [plural = '', ...group] = name.slice(6).split('.')
    return [`${group.join('.')}/${plural}`]
  }
  if (name.endsWith('requests.storage') || name.endsWith('persistentvolumeclaims')) return ['/persistentvolumeclaims']
  if (name.startsWith('services')) return ['/services']
  const counted = Object.entries(COUNTED).find(([, plain]) => plain === name)
  return counted ? [counted[0] as GroupResource] : ['/pods']
}

/** How much of what a quota limits is in use in its namespace. */
export function usedIn(store: ObjectStore, namespace: string, spec: V1ResourceQuotaSpec): Usage {
  const total: Usage = new Map(Object.keys(spec.hard ?? {}).map((name) => [name, 0n]))
  const resources = new Set([...total.keys()].flatMap(resourcesCounted))
  for (const resource of resources) {
    for (const object of store.list(resource, namespace)) {
      if (!quotaCovers(spec, resource, object)) continue
      for (const [name, value] of usageOf(resource, object)) {
        const sum = total.get(name)
        if (sum !== undefined) total.set(name, sum + value)
      }
    }
  }
  return total
}

/** An amount in the form in which the limit is written. */
export const shownAmount = (nano: bigint, like: unknown): string =>
  formatQuantity({ nano, format: parseQuantity(like)?.format ?? 'decimal' })
