import type { ManifestPlace } from '@quayside/contract/deployments/result-place'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { placeOf } from '../../../adapters/helm/place-of.ts'
import { networkGroups, networkResources } from '../../../adapters/kubernetes/space/space-rules.ts'

interface Refused {
  said: string
  object: ManifestPlace
}

/**
 * Network policies of a release that let pods of the space reach more than pods of the space and DNS, with what is said of
 * each. The cluster refuses the same by the policy `quayside-own-networks`, later and for one object at a time.
 * @param namespace that of the space
 */
export function policiesBeyondTheSpace(objects: readonly ManifestObject[], namespace: string): Refused[] {
  const ofPlugins = objects.filter(isOfPluginIn(namespace)).map((object) => {
    const said = `${object.kind} ${object.name} is of a network plugin and can open the network of the space, which this space may not. Switch it off in the values, or ask somebody who edits the cluster to let network policies of charts do so in this space.`
    return { said, object: placeOf(object) }
  })
  const policies = objects.filter(isPolicyIn(namespace)).flatMap((object) => {
    const at = rulesOf(object).findIndex((rule) => !isToOwnPods(rule) && !isToDns(rule))
    if (at < 0) return []
    const said = `NetworkPolicy ${object.name} lets its pods reach more than pods of the space and DNS, which this space may not. Switch the policy off in the values, or ask somebody who edits the cluster to let network policies of charts do so in this space.`
    return [{ said, object: placeOf(object, `spec.egress[${at}]`) }]
  })
  return [...policies, ...ofPlugins]
}

const isOfPluginIn = (home: string) => (one: ManifestObject) => {
  const group = one.apiVersion.slice(0, one.apiVersion.indexOf('/'))
  const isOfGroup = group !== 'networking.k8s.io' && networkGroups.has(group)
  const isOpening = isOfGroup || networkResources.some((each) => each.group === group && each.kind === one.kind)
  return isOpening && (one.namespace === undefined || one.namespace === home)
}

const isPolicyIn = (home: string) => (one: ManifestObject) =>
  one.kind === 'NetworkPolicy' &&
  one.apiVersion.startsWith('networking.k8s.io/') &&
  (one.namespace === undefined || one.namespace === home)

function rulesOf({ body }: ManifestObject): unknown[] {
  const egress = isRecord(body.spec) ? body.spec.egress : undefined
  return Array.isArray(egress) ? egress : []
}

/** A rule without `to` opens every address. */
const isToOwnPods = (rule: unknown) =>
  some(rule, 'to', (one) => isSet(one.podSelector) && !isSet(one.namespaceSelector) && !isSet(one.ipBlock))

const isToDns = (rule: unknown) => some(rule, 'ports', ({ port, endPort }) => port === 53 && !isSet(endPort))

/** Tells whether a list of a rule has items, and all of them are as asked. */
function some(rule: unknown, list: 'to' | 'ports', isAs: (item: Record<string, unknown>) => boolean): boolean {
  const items = isRecord(rule) ? rule[list] : undefined
  return Array.isArray(items) && items.length > 0 && items.every((item) => isRecord(item) && isAs(item))
}

const isSet = (value: unknown) => value !== undefined && value !== null
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
