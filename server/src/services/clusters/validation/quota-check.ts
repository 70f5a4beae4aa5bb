import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { placeOf } from '../../../adapters/helm/place-of.ts'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../workloads/fields.ts'
import { quantityOf } from '../workloads/quantity.ts'

/** How much an object takes of a counted thing (`pods`, `requests.cpu`, `persistentvolumeclaims` …), and where it says so. */
interface Taking {
  name: string
  amount: number
  object: ManifestObject
  path?: string | undefined
}

const counted: ReadonlyMap<string, string> = new Map([
  ['Pod', 'pods'],
  ['Service', 'services'],
  ['Secret', 'secrets'],
  ['ConfigMap', 'configmaps'],
  ['PersistentVolumeClaim', 'persistentvolumeclaims'],
])

/** The resources that a manifest takes of its namespace's quota once all of it runs. */
export function demandOf(objects: readonly ManifestObject[]): ReadonlyMap<string, number> {
  return sumsOf(objects.flatMap(takingsOf))
}

function sumsOf(takings: readonly Taking[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { name, amount } of takings) sums.set(name, (sums.get(name) ?? 0) + amount)
  return sums
}

type Take = (name: string, amount: number, path?: string) => void

function takingsOf(object: ManifestObject): Taking[] {
  const { kind } = object
  const takings: Taking[] = []
  const take: Take = (name, amount, path) => takings.push({ name, amount, object, path })
  const count = counted.get(kind)
  if (count) take(count, 1)
  // Reading a body may cost: only those that can take more are looked into.
  if (kind !== 'PersistentVolumeClaim' && !pathsOfPods.has(kind)) return takings
  const spec = fieldsOf(object.body.spec)
  if (kind === 'PersistentVolumeClaim') takeClaim(take, spec, 1, 'spec')
  const { copies, pod, claims, path } = podsOf(kind, spec)
  if (!pod) return takings
  if (kind !== 'Pod') take('pods', copies, kind === 'Job' ? 'spec.parallelism' : 'spec.replicas')
  claims.forEach((claim, at) => {
    take('persistentvolumeclaims', copies, `spec.volumeClaimTemplates[${at}]`)
    takeClaim(take, fieldsOf(claim.spec), copies, `spec.volumeClaimTemplates[${at}].spec`)
  })
  listOf(pod.containers).forEach((container, at) => {
    takeContainer(take, fieldsOf(container.resources), copies, `${path}.containers[${at}].resources`)
  })
  return takings
}

function takeClaim(take: Take, spec: Fields, copies: number, path: string): void {
  const amount = copies * quantityOf(fieldsOf(fieldsOf(spec.resources).requests).storage)
  take('requests.storage', amount, `${path}.resources.requests.storage`)
}

function takeContainer(take: Take, resources: Fields, copies: number, path: string): void {
  for (const side of ['requests', 'limits'] as const) {
    for (const [name, amount] of Object.entries(requestsOf(resources, side)))
      take(`${side}.${name}`, copies * quantityOf(amount), `${path}.${saidSide(resources, side, name)}.${name}`)
  }
}

/** A limit alone is the request as well. */
function requestsOf(resources: Fields, side: 'requests' | 'limits'): Fields {
  const limits = fieldsOf(resources.limits)
  return side === 'limits' ? limits : { ...limits, ...fieldsOf(resources.requests) }
}

function saidSide(resources: Fields, side: 'requests' | 'limits', name: string): 'requests' | 'limits' {
  return Object.hasOwn(fieldsOf(resources.requests), name) ? side : 'limits'
}

/** Where a pod is described, by the kind of what makes it. */
const pathsOfPods: ReadonlyMap<string, string> = new Map([
  ['Pod', 'spec'],
  ['Job', 'spec.template.spec'],
  ['Deployment', 'spec.template.spec'],
  ['StatefulSet', 'spec.template.spec'],
  ['ReplicaSet', 'spec.template.spec'],
])

function podsOf(
  kind: string,
  spec: Fields,
): { copies: number; pod: Fields | undefined; claims: Fields[]; path: string } {
  const path = pathsOfPods.get(kind)
  if (path === undefined) return { copies: 0, pod: undefined, claims: [], path: '' }
  if (kind === 'Pod') return { copies: 1, pod: spec, claims: [], path }
  const pod = fieldsOf(fieldsOf(spec.template).spec)
  if (kind === 'Job') return { copies: Math.max(1, quantityOf(spec.parallelism ?? 1)), pod, claims: [], path }
  const copies = spec.replicas === undefined || spec.replicas === null ? 1 : quantityOf(spec.replicas)
  return { copies, pod, claims: listOf(spec.volumeClaimTemplates), path }
}

const otherNames: Readonly<Record<string, string>> = { cpu: 'requests.cpu', memory: 'requests.memory' }

/**
 * A line for each quota that has too little left, with the object that takes most of it; what the release runs with
 * now makes room for what comes.
 */
export function quotaLines(
  quotas: readonly KubeObject[],
  objects: readonly ManifestObject[],
  deployed: readonly ManifestObject[],
): ResultLine[] {
  if (quotas.length === 0) return []
  const takings = objects.flatMap(takingsOf)
  const [demand, now] = [sumsOf(takings), demandOf(deployed)]
  return quotas.flatMap((quota) => {
    // A quota with scopes counts only some pods; which, the cluster knows.
    if (listed(quota.spec, 'scopes') || listed(quota.spec, 'scopeSelector')) return []
    const status = fieldsOf(quota.status)
    const hard = { ...fieldsOf(fieldsOf(quota.spec).hard), ...fieldsOf(status.hard) }
    const used = fieldsOf(status.used)
    return Object.entries(hard).flatMap(([name, limit]) => {
      const key = otherNames[name] ?? name.replace(/^count\//, '')
      const more = (demand.get(key) ?? 0) - (now.get(key) ?? 0)
      const left = quantityOf(limit) - quantityOf(used[name])
      if (more <= 0 || more <= left + 1e-9) return []
      const words = `${name}: ${shown(key, more)} more needed, ${shown(key, Math.max(0, left))} of ${String(limit)} left`
      const most = largestOf(takings, key)
      return [line(`Quota ${quota.metadata.name}: ${words}`, most && placeOf(most.object, most.path))]
    })
  })
}

function largestOf(takings: readonly Taking[], name: string): Taking | undefined {
  return takings
    .filter((one) => one.name === name)
    .reduce<Taking | undefined>((most, one) => (most && most.amount >= one.amount ? most : one), undefined)
}

function listed(value: unknown, name: string): boolean {
  const inner = fieldsOf(value)[name]
  return Array.isArray(inner) ? inner.length > 0 : typeof inner === 'object' && inner !== null
}

/** A line for each container that asks for more, or less, than the namespace lets one have. */
export function limitLines(ranges: readonly KubeObject[], objects: readonly ManifestObject[]): ResultLine[] {
  const limits = ranges
    .flatMap((range) => listOf(fieldsOf(range.spec).limits))
    .filter(({ type }) => type === 'Container')
  if (limits.length === 0) return []
  return objects.flatMap((object) => {
    const { kind, name } = object
    if (!pathsOfPods.has(kind)) return []
    const { pod, path } = podsOf(kind, fieldsOf(object.body.spec))
    return listOf(pod?.containers).flatMap((container, at) => {
      const resources = fieldsOf(container.resources)
      const said = limits.flatMap((limit) => [
        ...beyond(limit.max, fieldsOf(resources.limits), 1, 'at most', 'limits'),
        ...beyond(limit.min, requestsOf(resources, 'requests'), -1, 'at least', 'requests'),
      ])
      return said.map(({ words, side, key }) => {
        const where = `${path}.containers[${at}].resources.${saidSide(resources, side, key)}.${key}`
        return line(`${kind} ${name}: container ${textOf(container.name)}: ${words}`, placeOf(object, where))
      })
    })
  })
}

function beyond(bounds: unknown, asked: Fields, sign: 1 | -1, word: string, side: 'limits' | 'requests') {
  return Object.entries(fieldsOf(bounds)).flatMap(([key, bound]) =>
    asked[key] !== undefined && sign * (quantityOf(asked[key]) - quantityOf(bound)) > 0
      ? [{ key, side, words: `${key} ${String(asked[key])}, ${word} ${String(bound)} is allowed` }]
      : [],
  )
}

function shown(key: string, amount: number): string {
  if (/memory|storage/.test(key)) return `${Math.ceil((amount / 2 ** 20) * 10) / 10}Mi`
  return /cpu/.test(key) && !Number.isInteger(amount)
    ? `${Math.ceil(amount * 1000)}m`
    : String(Math.ceil(amount * 1000) / 1000)
}

const line = (message: string, object: ResultLine['object']): ResultLine => ({
  message,
  isSummary: false,
  resultType: 'error',
  provider: 'quota',
  ...(object ? { object } : {}),
})
