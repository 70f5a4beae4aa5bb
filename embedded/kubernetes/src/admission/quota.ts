import type { V1Pod, V1ResourceQuota, V1ResourceQuotaSpec } from '@kubernetes/client-node'
import { forbidden } from '../api-error.ts'
import type { GroupResource, KubeObject, ObjectStore } from '../object-store.ts'
import { subjectOf } from '../store/memory-store.ts'
import { amount, quotaCovers, resourcesCounted, shownAmount, type Usage, usageOf, usedIn } from './quota-usage.ts'

const QUOTAS = '/resourcequotas'
const COMPUTE = /^(requests\.|limits\.)?(cpu|memory|ephemeral-storage)$/

/** Containers that leave out what the quota makes everybody say. */
function unsaid(spec: V1ResourceQuotaSpec, pod: V1Pod): string[] {
  const names = Object.keys(spec.hard ?? {})
    .filter((name) => COMPUTE.test(name))
    .sort()
  const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]
  return names.flatMap((name) => {
    const [, side = 'requests.', what = ''] = COMPUTE.exec(name) ?? []
    const missing = containers.filter(
      ({ resources }) => !resources?.[side === 'limits.' ? 'limits' : 'requests']?.[what],
    )
    if (missing.length === 0) return []
    return [`${name} for: ${missing.map((container) => container.name).join(',')}`]
  })
}

const list = (names: readonly string[], value: (name: string) => string): string =>
  names.map((name) => `${name}=${value(name)}`).join(',')

function exceeded(hard: Record<string, string>, used: Usage, asked: Usage): string[] {
  return Object.keys(hard)
    .filter(
      (name) => (asked.get(name) ?? 0n) > 0n && (used.get(name) ?? 0n) + (asked.get(name) ?? 0n) > amount(hard[name]),
    )
    .sort()
}

/** Amounts that the new version uses beyond the old one. */
function askedFor(resource: GroupResource, draft: KubeObject, old: KubeObject | undefined): Usage {
  const before = old ? usageOf(resource, old) : new Map<string, bigint>()
  return new Map([...usageOf(resource, draft)].map(([name, value]) => [name, value - (before.get(name) ?? 0n)]))
}

/** Refuses what would go beyond a quota of its namespace. */
export function checkQuota(store: ObjectStore, resource: GroupResource, draft: KubeObject, old?: KubeObject): void {
  const { namespace, name } = draft.metadata
  if (!namespace) return
  for (const object of store.list(QUOTAS, namespace)) {
    const { spec, metadata } = object as unknown as V1ResourceQuota
    const { hard } = spec ?? {}
    if (!spec || !hard || !quotaCovers(spec, resource, draft)) continue
    if (!Object.keys(hard).some((limit) => resourcesCounted(limit).includes(resource))) continue
    if (resource === '/pods' && !old) {
      const missing = unsaid(spec, draft as unknown as V1Pod)
      if (missing.length > 0) {
        throw forbidden(
          subjectOf(resource),
          name,
          `failed quota: ${metadata?.name}: must specify ${missing.join('; ')}`,
        )
      }
    }
    const asked = askedFor(resource, draft, old)
    const used = usedIn(store, namespace, spec)
    const over = exceeded(hard, used, asked)
    if (over.length === 0) continue
    const say = (usage: Usage) => list(over, (one) => shownAmount(usage.get(one) ?? 0n, hard[one]))
    const why = `exceeded quota: ${metadata?.name}, requested: ${say(asked)}, used: ${say(used)}, limited: ${list(over, (one) => hard[one] ?? '0')}`
    throw forbidden(subjectOf(resource), name, why)
  }
}
