import type { ResultLine } from '@quayside/contract/deployment'
import { readManifest } from '../../adapters/helm/manifest.ts'
import type { KubeObject } from '../../adapters/kubernetes/kubernetes.ts'
import { type Fields, fieldsOf, listOf, textOf } from './fields.ts'
import { quantityOf } from './quantity.ts'

/** How much of each counted thing something takes: `pods`, `requests.cpu`, `persistentvolumeclaims` … */
export type Demand = ReadonlyMap<string, number>

const counted: Readonly<Record<string, string>> = {
  Pod: 'pods',
  Service: 'services',
  Secret: 'secrets',
  ConfigMap: 'configmaps',
  PersistentVolumeClaim: 'persistentvolumeclaims',
}

/** What a manifest takes of its namespace once all of it runs. */
export function demandOf(manifest: string): Demand {
  const demand = new Map<string, number>()
  const add = (name: string, amount: number) => demand.set(name, (demand.get(name) ?? 0) + amount)
  for (const { kind, body } of readManifest(manifest)) {
    const count = counted[kind]
    if (count) add(count, 1)
    if (kind === 'PersistentVolumeClaim') addClaim(add, fieldsOf(body.spec), 1)
    const { copies, pod, claims } = podsOf(kind, fieldsOf(body.spec))
    if (!pod) continue
    if (kind !== 'Pod') add('pods', copies)
    for (const claim of claims) {
      add('persistentvolumeclaims', copies)
      addClaim(add, fieldsOf(claim.spec), copies)
    }
    for (const container of listOf(pod.containers)) addContainer(add, fieldsOf(container.resources), copies)
  }
  return demand
}

type Add = (name: string, amount: number) => void

function addClaim(add: Add, spec: Fields, copies: number): void {
  add('requests.storage', copies * quantityOf(fieldsOf(fieldsOf(spec.resources).requests).storage))
}

function addContainer(add: Add, resources: Fields, copies: number): void {
  for (const side of ['requests', 'limits'] as const) {
    for (const [name, amount] of Object.entries(requestsOf(resources, side)))
      add(`${side}.${name}`, copies * quantityOf(amount))
  }
}

/** A limit alone is the request as well. */
function requestsOf(resources: Fields, side: 'requests' | 'limits'): Fields {
  const limits = fieldsOf(resources.limits)
  return side === 'limits' ? limits : { ...limits, ...fieldsOf(resources.requests) }
}

function podsOf(kind: string, spec: Fields): { copies: number; pod: Fields | undefined; claims: Fields[] } {
  const template = fieldsOf(fieldsOf(spec.template).spec)
  if (kind === 'Pod') return { copies: 1, pod: spec, claims: [] }
  if (kind === 'Job') return { copies: Math.max(1, quantityOf(spec.parallelism ?? 1)), pod: template, claims: [] }
  if (kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'ReplicaSet')
    return { copies: 0, pod: undefined, claims: [] }
  const copies = spec.replicas === undefined || spec.replicas === null ? 1 : quantityOf(spec.replicas)
  return { copies, pod: template, claims: listOf(spec.volumeClaimTemplates) }
}

const otherNames: Readonly<Record<string, string>> = { cpu: 'requests.cpu', memory: 'requests.memory' }

/** A line for each quota that has too little left; what the release runs with now makes room for what comes. */
export function quotaLines(quotas: readonly KubeObject[], demand: Demand, now: Demand): ResultLine[] {
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
      return [line(`Quota ${quota.metadata.name}: ${words}`, 'error')]
    })
  })
}

function listed(value: unknown, name: string): boolean {
  const inner = fieldsOf(value)[name]
  return Array.isArray(inner) ? inner.length > 0 : typeof inner === 'object' && inner !== null
}

/** A line for each container that asks for more, or less, than the namespace lets one have. */
export function limitLines(ranges: readonly KubeObject[], manifest: string): ResultLine[] {
  const limits = ranges
    .flatMap((range) => listOf(fieldsOf(range.spec).limits))
    .filter(({ type }) => type === 'Container')
  if (limits.length === 0) return []
  return readManifest(manifest).flatMap(({ kind, name, body }) => {
    const { pod } = podsOf(kind, fieldsOf(body.spec))
    return listOf(pod?.containers).flatMap((container) =>
      limits.flatMap((limit) =>
        [
          ...beyond(limit.max, fieldsOf(fieldsOf(container.resources).limits), 1, 'at most'),
          ...beyond(limit.min, requestsOf(fieldsOf(container.resources), 'requests'), -1, 'at least'),
        ].map((words) => line(`${kind} ${name}: container ${textOf(container.name)}: ${words}`, 'error')),
      ),
    )
  })
}

function beyond(bounds: unknown, asked: Fields, sign: 1 | -1, word: string): string[] {
  return Object.entries(fieldsOf(bounds)).flatMap(([name, bound]) =>
    asked[name] !== undefined && sign * (quantityOf(asked[name]) - quantityOf(bound)) > 0
      ? [`${name} ${String(asked[name])}, ${word} ${String(bound)} is allowed`]
      : [],
  )
}

function shown(key: string, amount: number): string {
  if (/memory|storage/.test(key)) return `${Math.ceil((amount / 2 ** 20) * 10) / 10}Mi`
  return /cpu/.test(key) && !Number.isInteger(amount)
    ? `${Math.ceil(amount * 1000)}m`
    : String(Math.ceil(amount * 1000) / 1000)
}

const line = (message: string, resultType: ResultLine['resultType']): ResultLine => ({
  message,
  isSummary: false,
  resultType,
  provider: 'quota',
})
