import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { ObjectName } from '../ports.ts'
import type { LeftoverPlan } from './leftover-plan.ts'

/** Objects deleted with the release: those of the manifest that the chart does not mark to be kept; no hooks. */
export function objectsToGo(objects: readonly ManifestObject[]): ObjectName[] {
  return objects
    .filter((object) => object.kind !== '' && object.name !== '' && !isKept(object))
    .map(({ apiVersion, kind, name, namespace }) => ({ apiVersion, kind, name, namespace: namespace ?? null }))
}

/** Objects that must be gone at the end: those of the release, found or remembered, without those chosen to stay. */
export function objectsToCheck(remembered: readonly ObjectName[], plan: LeftoverPlan | undefined): ObjectName[] {
  const orphans = (plan?.remove ?? []).filter(({ goes }) => goes)
  const found = orphans.map(({ apiVersion, kind, name, namespace }) => ({ apiVersion, kind, name, namespace }))
  const once = new Map([...remembered, ...found].map((each) => [`${each.apiVersion} ${nameOf(each)}`, each]))
  const kept = plan?.keep ?? []
  return [...once.values()].filter((each) => !kept.some((one) => isSame(each, one)))
}

export function nameOf({ kind, name }: Pick<ObjectName, 'kind' | 'name'>): string {
  return `${kind} ${name}`
}

/** Where one does not say its namespace it is that of the release, as the other one then says. */
function isSame(one: ObjectName, other: ObjectName): boolean {
  const isSamePlace = one.namespace === null || other.namespace === null || one.namespace === other.namespace
  return one.kind === other.kind && one.name === other.name && isSamePlace
}

function isKept({ body }: ManifestObject): boolean {
  const metadata = asRecord(body.metadata)
  return (
    String(asRecord(metadata.annotations)['helm.sh/resource-policy'] ?? '')
      .trim()
      .toLowerCase() === 'keep'
  )
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
