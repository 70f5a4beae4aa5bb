import type {
  V1Container,
  V1LimitRange,
  V1LimitRangeItem,
  V1PersistentVolumeClaim,
  V1Pod,
  V1ResourceRequirements,
} from '@kubernetes/client-node'
import { forbidden } from '../api-error.ts'
import type { KubeObject, ObjectStore } from '../object-store.ts'
import { amount } from './quota-usage.ts'

type Amounts = Record<string, string>
/** The library calls the field `default` otherwise than the wire does. */
type Item = V1LimitRangeItem & { default?: Amounts }

const itemsOf = (store: ObjectStore, namespace: string | undefined): Item[] =>
  store.list('/limitranges', namespace).flatMap((range) => (range as unknown as V1LimitRange).spec?.limits ?? [])

/** Defaults that a container was given, for the annotation that lists them. */
interface Given {
  requests: string[]
  limits: string[]
}

const missing = (defaults: Amounts | undefined, has: Amounts | undefined) =>
  Object.keys(defaults ?? {}).filter((name) => has?.[name] === undefined)

function giveDefaults(container: V1Container, item: Item): Given {
  const resources: V1ResourceRequirements = container.resources ?? {}
  const given = {
    requests: missing(item.defaultRequest, resources.requests),
    limits: missing(item.default, resources.limits),
  }
  const limits = { ...item.default, ...resources.limits }
  const requests = { ...item.defaultRequest, ...resources.requests }
  if (Object.keys(limits).length > 0) resources.limits = limits
  if (Object.keys(requests).length > 0) resources.requests = requests
  container.resources = resources
  return given
}

function giveAll(pod: V1Pod, items: readonly Item[]): void {
  const { initContainers = [], containers = [] } = pod.spec ?? {}
  const notes = [...containers, ...initContainers].flatMap((container) => {
    const given = items.filter(({ type }) => type === 'Container').map((item) => giveDefaults(container, item))
    const role = containers.includes(container) ? 'container' : 'init container'
    return (['requests', 'limits'] as const).flatMap((side) => {
      const names = [...new Set(given.flatMap((one) => one[side]))].sort()
      return names.length > 0 ? [`${names.join(', ')} ${side.slice(0, -1)} for ${role} ${container.name}`] : []
    })
  })
  if (notes.length === 0 || !pod.metadata) return
  const note = `LimitRanger plugin set: ${notes.join('; ')}`
  pod.metadata.annotations = { ...pod.metadata.annotations, 'kubernetes.io/limit-ranger': note }
}

interface Asked {
  requests: Amounts
  limits: Amounts
}

function violations(item: Item, { requests, limits }: Asked): string[] {
  const per = `per ${item.type}`
  const found: string[] = []
  for (const [name, least] of Object.entries(item.min ?? {})) {
    const has = requests[name]
    if (has === undefined) found.push(`minimum ${name} usage ${per} is ${least}.  No request is specified`)
    else if (amount(has) < amount(least)) found.push(`minimum ${name} usage ${per} is ${least}, but request is ${has}`)
  }
  for (const [name, most] of Object.entries(item.max ?? {})) {
    const has = limits[name]
    if (has === undefined) found.push(`maximum ${name} usage ${per} is ${most}.  No limit is specified`)
    else if (amount(has) > amount(most)) found.push(`maximum ${name} usage ${per} is ${most}, but limit is ${has}`)
  }
  for (const [name, ratio] of Object.entries(item.maxLimitRequestRatio ?? {})) {
    const [low, high] = [amount(requests[name]), amount(limits[name])]
    if (low > 0n && high * 1_000_000_000n > low * amount(ratio)) {
      const is = (Number(high) / Number(low)).toFixed(6)
      found.push(`${name} max limit to request ratio ${per} is ${ratio}, but provided ratio is ${is}`)
    }
  }
  return found
}

function sum(containers: readonly V1Container[], side: 'requests' | 'limits'): Amounts {
  const total = new Map<string, bigint>()
  for (const { resources } of containers) {
    for (const [name, value] of Object.entries(resources?.[side] ?? {})) {
      total.set(name, (total.get(name) ?? 0n) + amount(value))
    }
  }
  return Object.fromEntries([...total].map(([name, nano]) => [name, `${nano}n`]))
}

const askedBy = ({ resources }: V1Container): Asked => ({
  requests: resources?.requests ?? {},
  limits: resources?.limits ?? {},
})

function checkPod(items: readonly Item[], pod: V1Pod): string[] {
  const containers = pod.spec?.containers ?? []
  const all = [...(pod.spec?.initContainers ?? []), ...containers]
  return items.flatMap((item) => {
    if (item.type === 'Container') return all.flatMap((container) => violations(item, askedBy(container)))
    if (item.type !== 'Pod') return []
    return violations(item, { requests: sum(containers, 'requests'), limits: sum(containers, 'limits') })
  })
}

function checkClaim(items: readonly Item[], claim: V1PersistentVolumeClaim): string[] {
  const requests = claim.spec?.resources?.requests ?? {}
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item) => violations(item, { requests, limits: requests }))
    .map((found) => found.replace(/but limit is|No limit is/, (said) => said.replace('limit', 'request')))
}

/** Gives containers the namespace's default amounts, and refuses amounts outside its bounds. */
export function applyLimitRanges(store: ObjectStore, draft: KubeObject): void {
  const { namespace, name } = draft.metadata
  const items = itemsOf(store, namespace)
  if (items.length === 0) return
  const isPod = draft.kind === 'Pod'
  if (isPod) giveAll(draft as unknown as V1Pod, items)
  const found = isPod
    ? checkPod(items, draft as unknown as V1Pod)
    : checkClaim(items, draft as unknown as V1PersistentVolumeClaim)
  if (found.length === 0) return
  const why = found.length === 1 ? (found[0] ?? '') : `[${found.join(', ')}]`
  throw forbidden({ group: '', resource: isPod ? 'pods' : 'persistentvolumeclaims' }, name, why)
}
