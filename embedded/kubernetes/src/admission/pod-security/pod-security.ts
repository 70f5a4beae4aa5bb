import type { V1Pod, V1PodTemplateSpec } from '@kubernetes/client-node'
import { forbidden } from '../../api-error.ts'
import { invalidObject } from '../../field-error.ts'
import type { GroupResource, KubeObject, ObjectStore } from '../../object-store.ts'
import { docOf } from '../../store/doc.ts'
import { inDetail, inShort, violations } from './evaluate.ts'
import { containersOf, type PodParts } from './pod-parts.ts'
import {
  compareLevels,
  type NamespaceStandards,
  namespaceStandards,
  type Standard,
  sameStandard,
  shownStandard,
} from './standards.ts'

/** Existing pods that are looked at when a namespace becomes stricter. */
const MOST_PODS = 3000
/** Doors of a pod that change nothing which a standard is about. */
const HARMLESS = new Set(['status', 'binding', 'eviction', 'log', 'exec', 'attach', 'portforward', 'proxy'])

const TEMPLATES: Partial<Record<GroupResource, (object: KubeObject) => unknown>> = {
  '/replicationcontrollers': ({ spec }) => docOf(spec).template,
  '/podtemplates': ({ template }) => template,
  'apps/deployments': ({ spec }) => docOf(spec).template,
  'apps/replicasets': ({ spec }) => docOf(spec).template,
  'apps/statefulsets': ({ spec }) => docOf(spec).template,
  'apps/daemonsets': ({ spec }) => docOf(spec).template,
  'batch/jobs': ({ spec }) => docOf(spec).template,
  'batch/cronjobs': ({ spec }) => docOf(docOf(docOf(spec).jobTemplate).spec).template,
}

interface Change {
  resource: GroupResource
  object: KubeObject
  old?: KubeObject
  subresource?: string
}

const partsOf = ({ metadata, spec }: Pick<V1Pod, 'metadata' | 'spec'>): PodParts => ({
  annotations: metadata?.annotations ?? {},
  spec: spec ?? { containers: [] },
})

const podParts = (object: KubeObject): PodParts => partsOf(object as unknown as V1Pod)

/** Tells whether a change to a pod is one that can break a standard: other containers, or other images. */
function isSignificant(pod: PodParts, old: PodParts): boolean {
  const [now, before] = [containersOf(pod), containersOf(old)]
  if (now.length !== before.length) return true
  return now.some((container) => before.find(({ name }) => name === container.name)?.image !== container.image)
}

const standardsIn = (store: ObjectStore, namespace: string | undefined): NamespaceStandards =>
  namespaceStandards(store.get('/namespaces', undefined, namespace ?? '')?.metadata.labels).standards

function warningOf({ warn }: NamespaceStandards, pod: PodParts): string[] {
  const found = violations(warn, pod)
  return found.length > 0 ? [`would violate PodSecurity "${shownStandard(warn)}": ${inDetail(found)}`] : []
}

function admitPod(store: ObjectStore, { object, old, subresource }: Change): string[] {
  if (HARMLESS.has(subresource ?? '')) return []
  const standards = standardsIn(store, object.metadata.namespace)
  const pod = podParts(object)
  if (old && !isSignificant(pod, podParts(old))) return []
  const found = violations(standards.enforce, pod)
  if (found.length === 0) return warningOf(standards, pod)
  const why = `violates PodSecurity "${shownStandard(standards.enforce)}": ${inDetail(found)}`
  throw forbidden({ group: '', resource: 'pods' }, object.metadata.name, why)
}

/** The findings that pods have in common, each with the pod whose name comes first. */
function findingsIn(store: ObjectStore, namespace: string, standard: Standard): string[] {
  const all = oneOfEachControllerFirst(store.list('/pods', namespace))
  const byFinding = new Map<string, string[]>()
  for (const pod of all.slice(0, MOST_PODS)) {
    const found = violations(standard, podParts(pod))
    if (found.length === 0) continue
    const text = inShort(found)
    byFinding.set(text, [...(byFinding.get(text) ?? []), pod.metadata.name])
  }
  const findings = [...byFinding].map(([text, names]) => {
    const others = names.length - 1
    const more = others === 0 ? '' : ` (and ${others} other ${others === 1 ? 'pod' : 'pods'})`
    return `${names.toSorted()[0]}${more}: ${text}`
  })
  const level = 'new PodSecurity enforce level'
  return [
    ...(all.length > MOST_PODS
      ? [`${level} only checked against the first ${MOST_PODS} of ${all.length} existing pods`]
      : []),
    ...(findings.length > 0
      ? [`existing pods in namespace "${namespace}" violate the ${level} "${shownStandard(standard)}"`]
      : []),
    ...findings.sort(),
  ]
}

/** Pods of one controller are alike: the first of each comes before the others of any. */
function oneOfEachControllerFirst(pods: readonly KubeObject[]): KubeObject[] {
  const seen = new Set<string>()
  const others: KubeObject[] = []
  const firsts = pods.filter((pod) => {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid
    if (owner === undefined || !seen.has(owner)) {
      if (owner !== undefined) seen.add(owner)
      return true
    }
    others.push(pod)
    return false
  })
  return [...firsts, ...others]
}

function admitNamespace(store: ObjectStore, { object, old, subresource }: Change): string[] {
  if (subresource) return []
  const now = namespaceStandards(object.metadata.labels)
  const before = namespaceStandards(old?.metadata.labels)
  const isNews = JSON.stringify(now.errors) !== JSON.stringify(before.errors)
  if (now.errors.length > 0 && (!old || isNews)) {
    throw invalidObject('', 'Namespace', object.metadata.name, now.errors)
  }
  const [next, last] = [now.standards.enforce, before.standards.enforce]
  if (!old || sameStandard(next, last) || next.level === 'privileged') return []
  if (next.release === last.release && compareLevels(next.level, last.level) <= 0) return []
  return findingsIn(store, object.metadata.name, next)
}

function admitTemplate(store: ObjectStore, { resource, object, subresource }: Change): string[] {
  if (subresource) return []
  const template = TEMPLATES[resource]?.(object)
  if (!template) return []
  return warningOf(standardsIn(store, object.metadata.namespace), partsOf(template as V1PodTemplateSpec))
}

/**
 * Holds pods to the Pod Security Standard that the labels of their namespace name; throws the refusal of a pod that
 * violates it, and returns what the writer of a pod, a template or a namespace is to be warned of.
 */
export function podSecurity(store: ObjectStore, change: Change): string[] {
  if (change.resource === '/pods') return admitPod(store, change)
  if (change.resource === '/namespaces') return admitNamespace(store, change)
  return admitTemplate(store, change)
}
