import type { GroupResource, KubeObject, ObjectMeta } from '../object-store.ts'
import { deepEqual, docOf, listOf } from './doc.ts'
import { kubeTime } from './names.ts'

export interface DeleteOptions {
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'
  gracePeriodSeconds?: number
}

const DEFAULT_GRACE = 30

/** How long a deleted object may linger: pods that run on a node get their grace period, all else none. */
function graceOf(resource: GroupResource, object: KubeObject, asked: number | undefined): number {
  if (resource !== '/pods') return 0
  const spec = docOf(object.spec)
  const phase = docOf(object.status).phase
  if (!spec.nodeName || phase === 'Succeeded' || phase === 'Failed') return 0
  const own = spec.terminationGracePeriodSeconds
  return Math.max(0, asked ?? (typeof own === 'number' ? own : DEFAULT_GRACE))
}

/** Tells whether nothing keeps an object that is marked for deletion from going. */
export function mayGo(resource: GroupResource, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
  if (!deletionTimestamp || finalizers.length > 0) return false
  if (resource === '/namespaces' && listOf(docOf(object.spec).finalizers).length > 0) return false
  return resource !== '/pods' || deletionGracePeriodSeconds === 0
}

const POLICY_FINALIZER = { Foreground: 'foregroundDeletion', Orphan: 'orphan' } as const

/** Finalizers of what is deleted: a policy that is named takes the place of one by which it was deleted before. */
function finalizersBy(policy: DeleteOptions['propagationPolicy'], finalizers: readonly string[]): string[] {
  if (!policy) return [...finalizers]
  const wanted = policy === 'Background' ? undefined : POLICY_FINALIZER[policy]
  const others: readonly string[] = Object.values(POLICY_FINALIZER).filter((one) => one !== wanted)
  const kept = finalizers.filter((one) => !others.includes(one))
  return wanted && !kept.includes(wanted) ? [...kept, wanted] : kept
}

/** The version of `object` that is marked for deletion; the object itself when it is so marked already. */
export function markDeleted(
  resource: GroupResource,
  object: KubeObject,
  options: DeleteOptions,
  now: number,
): KubeObject {
  const { metadata } = object
  const grace = graceOf(resource, object, options.gracePeriodSeconds)
  const marked: ObjectMeta = { ...metadata }
  const finalizers = finalizersBy(options.propagationPolicy, metadata.finalizers ?? [])
  if (finalizers.length > 0) marked.finalizers = finalizers
  else delete marked.finalizers
  const left = metadata.deletionGracePeriodSeconds
  if (!metadata.deletionTimestamp || (left !== undefined && grace < left)) {
    marked.deletionTimestamp = kubeTime(now + grace * 1000)
    marked.deletionGracePeriodSeconds = grace
  }
  if (deepEqual(marked, metadata)) return object
  const next: KubeObject = { ...object, metadata: marked }
  if (resource === '/namespaces') next.status = { ...docOf(object.status), phase: 'Terminating' }
  return next
}

const BESIDE_SPEC = new Set(['apiVersion', 'kind', 'metadata', 'status'])

/** Tells whether anything differs that is neither metadata nor status: what raises the generation. */
export function specChanged(old: KubeObject, next: KubeObject): boolean {
  const fields = new Set([...Object.keys(old), ...Object.keys(next)])
  for (const field of fields) if (!BESIDE_SPEC.has(field) && !deepEqual(old[field], next[field])) return true
  return false
}

/** `next`, limited to changes of status and metadata; everything else stays as in `old`. */
export function statusOnly(old: KubeObject, next: KubeObject): KubeObject {
  const kept: KubeObject = { ...old, metadata: next.metadata }
  if (next.status === undefined) delete kept.status
  else kept.status = next.status
  return kept
}

const EMPTIABLE = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields'] as const

/** Removes empty fields from the metadata. */
export function tidy(metadata: ObjectMeta): void {
  for (const field of EMPTIABLE) {
    const value = metadata[field]
    if (value !== undefined && Object.keys(value ?? {}).length === 0) delete metadata[field]
  }
}

/** The object without what is empty in its metadata; its own metadata is left alone. */
export function tidied(object: KubeObject): KubeObject {
  const metadata = { ...object.metadata }
  tidy(metadata)
  return { ...object, metadata }
}

const FIXED = [
  'namespace',
  'generateName',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies readonly (keyof ObjectMeta)[]

/** The version to be written, with everything about its identity and end as the current one has it. */
export function keepIdentity(current: KubeObject, wanted: KubeObject): KubeObject {
  const { name, uid, creationTimestamp, resourceVersion } = current.metadata
  const metadata: ObjectMeta = { ...wanted.metadata, name, uid, creationTimestamp, resourceVersion }
  for (const field of FIXED) {
    if (current.metadata[field] === undefined) delete metadata[field]
    else Object.assign(metadata, { [field]: current.metadata[field] })
  }
  return { ...wanted, metadata }
}
