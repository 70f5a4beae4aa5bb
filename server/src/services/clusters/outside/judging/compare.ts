import { readManifest } from '../../../../adapters/helm/manifest.ts'
import { keyOf, outsideOf, unclear } from '../outside-objects.ts'
import type { Gatherer } from './gatherers.ts'
import { type Holder, type Judged, judgeOutside, type Surroundings } from './judge-outside.ts'

/** The objects that an action may make outside of its space, with the facts they were judged by; sent as JSON. */
export interface Comparison {
  namespace: string
  resourceScopes: [string, boolean][]
  namespaces: [string, 'space' | 'cluster' | 'other' | 'missing'][]
  existing: [string, 'own' | { of: string }][]
  roles: [string, Record<string, unknown>[]][]
  holders: [string, readonly Holder[]][]
  gatherers: readonly Gatherer[]
  /** Digests by key. */
  allowed: [string, string][]
}

export function comparisonOf(
  around: Surroundings,
  resourceScopes: ReadonlyMap<string, boolean>,
  allowed: readonly Judged[],
): Comparison {
  return {
    namespace: around.namespace,
    resourceScopes: [...resourceScopes].filter(([, isNamespaced]) => !isNamespaced),
    namespaces: [...around.namespaces],
    existing: [...around.existing],
    roles: [...around.roles].map(([key, rules]) => [key, [...rules]]),
    holders: [...(around.holders ?? [])],
    gatherers: around.gatherers ?? [],
    allowed: allowed.map((one) => [keyOf(one), one.digest]),
  }
}

/**
 * Why what Helm has rendered may not be applied; undefined when it makes nothing outside of its space but what was
 * judged. Helm renders anew, and a chart may look at the cluster, the time and chance.
 */
export function differs(rendered: string, comparison: Comparison): string | undefined {
  const objects = readManifest(rendered)
  const strange = unclear(objects)[0]
  if (strange) return `${strange.kind || 'an object'} ${strange.name} is written in a way that cannot be checked`
  const { namespace } = comparison
  const outside = outsideOf(objects, { namespace, resourceScopes: new Map(comparison.resourceScopes) })
  const judged = judgeOutside(outside, {
    namespace,
    namespaces: new Map(comparison.namespaces),
    existing: new Map(comparison.existing),
    roles: new Map(comparison.roles),
    holders: new Map(comparison.holders),
    gatherers: comparison.gatherers,
  })
  const allowed = new Map(comparison.allowed)
  const other = judged.find((one) => one.never !== null || allowed.get(keyOf(one)) !== one.digest)
  return other && `${other.kind} ${other.name} is not what was checked before: the chart renders differently each time`
}
