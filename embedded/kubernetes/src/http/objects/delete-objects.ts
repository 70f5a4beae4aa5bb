import { badRequest, conflict, notFound } from '../../api-error.ts'
import { invalidValue, unsupported } from '../../field-error.ts'
import type { KubeObject } from '../../object-store.ts'
import { inVersion, subjectOfType } from '../../resources/resource-type.ts'
import { docOf, isDoc, textOf } from '../../store/doc.ts'
import type { DeleteOptions } from '../../store/lifecycle.ts'
import { decodeBody } from '../read-body.ts'
import { ok, type Reply } from '../reply.ts'
import { invalidOptions, isDryRun } from '../request-options.ts'
import { present, presentList } from './present.ts'
import { matchingObjects, storedObject } from './read-objects.ts'
import { bodyOf, bodyTypeOf, type ResourceRequest } from './resource-request.ts'
import { protectedNamespace } from './write-objects.ts'

interface Removal {
  options: DeleteOptions & { dryRun: boolean }
  preconditions: { uid?: string; resourceVersion?: string }
}

const POLICIES = ['Foreground', 'Background', 'Orphan'] as const

/** Delete options from the body; options missing there are read from the query. */
async function removalOf(request: ResourceRequest): Promise<Removal> {
  const bytes = await bodyOf(request)
  const body = bytes.length > 0 ? decodeBody(bodyTypeOf(request), bytes) : {}
  if (!isDoc(body)) throw badRequest('the body is not a DeleteOptions object')
  const asked = textOf(body.propagationPolicy) || request.query.get('propagationPolicy') || ''
  const policy = POLICIES.find((name) => name === asked)
  if (asked && !policy) {
    throw invalidOptions('delete', unsupported('propagationPolicy', asked, [...POLICIES, 'nil']))
  }
  if (policy && body.orphanDependents !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set'
    throw invalidOptions('delete', invalidValue('propagationPolicy', policy, why))
  }
  const grace = body.gracePeriodSeconds ?? request.query.get('gracePeriodSeconds') ?? undefined
  const dryRun = Array.isArray(body.dryRun) ? body.dryRun.length > 0 : isDryRun(request)
  const orphan = body.orphanDependents === true ? ('Orphan' as const) : undefined
  const { uid, resourceVersion } = docOf(body.preconditions)
  return {
    options: {
      dryRun,
      propagationPolicy: policy ?? orphan,
      gracePeriodSeconds: grace === undefined || grace === '' ? undefined : Number(grace),
    },
    preconditions: { uid: textOf(uid), resourceVersion: textOf(resourceVersion) },
  }
}

/** A removal names its object by kind, and says of both what it expected and what there is. */
/** Tells whether the object is still the one that the caller means. */
export function checkRecord(
  { type }: ResourceRequest,
  { metadata }: KubeObject,
  { uid, resourceVersion }: Removal['preconditions'],
) {
  const about = { group: type.group, resource: type.kind }
  const differs = (field: string, asked: string, has: string, what: string) =>
    conflict(
      about,
      metadata.name,
      `the ${field} in the precondition (${asked}) does not match the ${field} in record (${has}). The object might have been ${what}`,
    )
  if (uid && uid !== metadata.uid) throw differs('UID', uid, metadata.uid, 'deleted and then recreated')
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    throw differs('ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified')
  }
}

const UNDELETABLE = new Set(['default', 'kube-system', 'kube-public'])

function removeOne(request: ResourceRequest, object: KubeObject, { options, preconditions }: Removal): KubeObject {
  const { context, type } = request
  checkRecord(request, object, preconditions)
  if (type.storage === '/namespaces' && UNDELETABLE.has(object.metadata.name)) {
    throw protectedNamespace(object.metadata.name)
  }
  context.admission.remove(type, inVersion(type, object))
  const { namespace, name } = object.metadata
  const gone = context.store.delete(type.storage, namespace, name, options)
  if (!gone) throw notFound(subjectOfType(type), name)
  return gone
}

/** Deletes one object: answers with the object while it lingers, else with a success. */
export async function deleteObject(request: ResourceRequest): Promise<Reply> {
  const removal = await removalOf(request)
  const object = storedObject(request)
  const last = removeOne(request, object, removal)
  const { context, type } = request
  const lingers = context.store.get(type.storage, last.metadata.namespace, last.metadata.name)
  if (lingers || removal.options.dryRun || type.storage === '/pods') return ok(present(request, last))
  return ok({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: last.metadata.name,
      ...(type.group ? { group: type.group } : {}),
      kind: type.plural,
      uid: last.metadata.uid,
    },
  })
}

/** Deletes everything that matches; answers with what it was. */
export async function deleteCollection(request: ResourceRequest): Promise<Reply> {
  const removal = await removalOf(request)
  const objects = matchingObjects(request)
  for (const object of objects) removeOne(request, object, removal)
  const metadata = { resourceVersion: request.context.store.resourceVersion }
  return ok(presentList({ ...request, shape: 'object' }, request.type, objects, metadata))
}
