import { badRequest, conflict, forbidden, KubeError, notFound, staleVersion } from '../../api-error.ts'
import { accessDenied } from '../../auth/access.ts'
import { checkEscalation } from '../../auth/escalation.ts'
import { invalidObject, invalidValue, required } from '../../field-error.ts'
import { trackUpdate } from '../../machinery/managed-fields.ts'
import type { KubeObject, ObjectMeta } from '../../object-store.ts'
import { forStorage, inVersion, type ResourceType, subjectOfType } from '../../resources/resource-type.ts'
import { cloneDoc, type Doc, docOf, isDoc } from '../../store/doc.ts'
import { decodeBody, duplicatesIn } from '../read-body.ts'
import { created, ok, type Reply } from '../reply.ts'
import { fieldValidationOf, isDryRun } from '../request-options.ts'
import { scopeOf } from '../request-path.ts'
import { enterRequestor, limitToSubresource } from '../subresources/certificate-requests.ts'
import { limitToPodSubresource } from '../subresources/pod-subresources.ts'
import { type Incoming, takeObject } from './incoming-object.ts'
import { present } from './present.ts'
import { bodyOf, bodyTypeOf, nameOf, namespaceOf, type ResourceRequest, writerOf } from './resource-request.ts'

/** Set by the server alone. */
const SERVER_FIELDS = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'selfLink',
  'managedFields',
] as const

export const hasStatus = (type: ResourceType): boolean => 'status' in type.subresources

/** An object's namespace must be the path's, a cluster-wide object has none. */
function settleNamespace(request: ResourceRequest, metadata: Partial<ObjectMeta>): void {
  const namespace = namespaceOf(request)
  if (namespace === undefined) {
    delete metadata.namespace
    return
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  metadata.namespace = namespace
}

function requireNamespace({ context, type, path }: ResourceRequest): void {
  if (!type.namespaced) return
  if (!path.namespace) throw badRequest('an empty namespace may not be set during creation')
  if (!context.store.get('/namespaces', undefined, path.namespace)) {
    throw notFound({ group: '', resource: 'namespaces' }, path.namespace)
  }
}

/** Creates what was sent; also how apply makes an object that is not there yet. */
export function createFrom(request: ResourceRequest, incoming: Incoming, managedFields?: unknown[]): KubeObject {
  const { type, context } = request
  const { object } = incoming
  requireNamespace(request)
  settleNamespace(request, object.metadata)
  if (object.metadata.resourceVersion) {
    throw new KubeError(500, '', 'resourceVersion should not be set on objects to be created')
  }
  for (const field of SERVER_FIELDS) delete object.metadata[field]
  if (!object.metadata.name && !object.metadata.generateName) {
    throw invalidObject(type.group, type.kind, '', [required('metadata.name', 'name or generateName is required')])
  }
  if (hasStatus(type)) delete object.status
  enterRequestor(request, object)
  checkEscalation({ access: context.access, identity: request.identity, object, name: request.path.name })
  if (request.verb === 'patch') authorizeCreation(request)
  const fields = managedFields ?? trackUpdate(type.schema, undefined, object, writerOf(request), hasStatus(type))
  if (fields.length > 0) object.metadata.managedFields = fields
  return context.store.create(type.storage, forStorage(type, object), { dryRun: isDryRun(request) })
}

/**
 * Requires the right to create, for an apply that creates its object. The right may be limited to names: the name is
 * known.
 */
function authorizeCreation({ context, identity, path, type }: ResourceRequest): void {
  const { group, plural: resource } = type
  const wanted = { verb: 'create', group, resource, name: path.name, namespace: scopeOf(path) }
  if (!context.access.allows(identity, wanted)) throw accessDenied(identity, wanted)
}

async function sentObject(request: ResourceRequest): Promise<Incoming> {
  const [mediaType, bytes] = [bodyTypeOf(request), await bodyOf(request)]
  const body = decodeBody(mediaType, bytes)
  const validation = fieldValidationOf(request)
  return takeObject(request.type, body, validation, validation === 'Ignore' ? [] : duplicatesIn(mediaType, bytes))
}

/** Requires `eventTime` for events in the group events.k8s.io. */
function checkEvent({ group }: ResourceType, object: KubeObject): void {
  if (group !== 'events.k8s.io' || object.eventTime) return
  const unsaid = object.type ? [] : [invalidValue('type', '', 'has invalid value: ')]
  throw invalidObject('', 'Event', object.metadata.name, [required('eventTime'), ...unsaid])
}

export async function createObject(request: ResourceRequest): Promise<Reply> {
  const incoming = await sentObject(request)
  checkEvent(request.type, incoming.object)
  return created(present(request, createFrom(request, incoming)), incoming.warnings)
}

/** Refuses a write that was made from another version, or another object of the same name. */
function checkPreconditions(request: ResourceRequest, current: KubeObject, wanted: Partial<ObjectMeta>): void {
  const about = subjectOfType(request.type)
  const name = current.metadata.name
  if (wanted.uid && wanted.uid !== current.metadata.uid) {
    throw conflict(
      about,
      name,
      `Precondition failed: UID in precondition: ${wanted.uid}, UID in object meta: ${current.metadata.uid}`,
    )
  }
  if (wanted.resourceVersion && wanted.resourceVersion !== current.metadata.resourceVersion)
    throw staleVersion(about, name)
}

function checkName(current: KubeObject, metadata: Partial<ObjectMeta>): void {
  if (metadata.name && metadata.name !== current.metadata.name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${current.metadata.name})`,
    )
  }
}

/** One empty entry in the place of all asks for a new beginning. */
function clearsManagedFields({ metadata: { managedFields } }: KubeObject): boolean {
  return managedFields?.length === 1 && Object.keys(docOf(managedFields[0])).length === 0
}

/** The owners of fields that a writer names; nothing when the list is none, and what was there counts. */
function writtenOwners({ metadata: { managedFields } }: KubeObject): unknown[] | undefined {
  if (!Array.isArray(managedFields) || managedFields.length === 0) return undefined
  const isEntry = (entry: unknown) => {
    const { manager, operation, fieldsType, fieldsV1 } = docOf(entry)
    const isKnown = operation === 'Apply' || operation === 'Update'
    return typeof manager === 'string' && isKnown && fieldsType === 'FieldsV1' && isDoc(fieldsV1)
  }
  return managedFields.every(isEntry) ? managedFields : undefined
}

const withOwners = (current: KubeObject, managedFields: unknown[] | undefined): KubeObject =>
  managedFields ? { ...current, metadata: { ...current.metadata, managedFields } } : current

/** Limits a write through a subresource to the part of the object that the subresource is for. */
function limitTo(request: ResourceRequest, current: KubeObject, next: KubeObject): KubeObject {
  const { type, path } = request
  if (path.subresource === 'status') {
    const { labels, annotations, finalizers, ownerReferences } = next.metadata
    const metadata = { ...current.metadata, labels, annotations, finalizers, ownerReferences }
    const kept: KubeObject = { ...current, metadata }
    if (next.status === undefined) delete kept.status
    else kept.status = next.status
    return kept
  }
  if (type.storage === '/pods' && path.subresource) return limitToPodSubresource(current, next, path.subresource)
  if (!hasStatus(type) || path.subresource === 'approval') return next
  const { status: _ignored, ...rest } = next
  return current.status === undefined ? (rest as KubeObject) : { ...(rest as KubeObject), status: current.status }
}

/** Bookkeeping that a writer can neither set nor lose. */
function keepServerFields(current: KubeObject, next: KubeObject): void {
  const metadata: ObjectMeta = { ...next.metadata }
  for (const field of [...SERVER_FIELDS, 'name', 'namespace', 'resourceVersion', 'generateName']) {
    if (current.metadata[field] === undefined) delete metadata[field]
    else metadata[field] = current.metadata[field]
  }
  next.metadata = metadata
}

function onlyWhatIsKept({ name, namespace, uid, resourceVersion, creationTimestamp }: ObjectMeta): ObjectMeta {
  return { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp }
}

interface Proposal {
  object: KubeObject
  /** Owners of fields, when the writer has computed them (apply); otherwise computed from the change. */
  managedFields?: unknown[]
}

/** Makes `propose(current)` the object's next version, after all the checks an update is subject to. */
export function replaceWith(request: ResourceRequest, propose: (current: KubeObject) => Proposal): KubeObject {
  const { context, type, path } = request
  const writer = writerOf(request)
  const change = (stored: KubeObject): KubeObject => {
    const current = inVersion(type, stored)
    const { object, managedFields } = propose(current)
    // Without metadata it is about the object at its address all the same.
    object.metadata ??= onlyWhatIsKept(current.metadata)
    const forgets = clearsManagedFields(object)
    const owners = writtenOwners(object)
    settleNamespace(request, object.metadata)
    checkName(current, object.metadata)
    checkPreconditions(request, current, object.metadata)
    const next = limitToSubresource(request, current, limitTo(request, current, object))
    checkEscalation({ access: context.access, identity: request.identity, object: next, old: current, name: path.name })
    keepServerFields(current, next)
    const draft = cloneDoc(forStorage(type, next))
    context.admission.update(type, draft, stored, path.subresource)
    const fields = forgets
      ? []
      : (managedFields ??
        trackUpdate(type.schema, withOwners(current, owners), inVersion(type, draft), writer, hasStatus(type)))
    if (fields.length > 0) draft.metadata.managedFields = fields
    else delete draft.metadata.managedFields
    return draft
  }
  const status = path.subresource === 'status'
  return context.store.update(type.storage, namespaceOf(request), nameOf(request), change, {
    status,
    dryRun: isDryRun(request),
  })
}

export async function updateObject(request: ResourceRequest): Promise<Reply> {
  const { object, warnings } = await sentObject(request)
  const { type } = request
  if (!docOf(object.metadata).resourceVersion && type.custom) {
    const why = required('metadata.resourceVersion', 'must be specified for an update')
    throw invalidObject(type.group, type.kind, nameOf(request), [why])
  }
  return ok(
    present(
      request,
      replaceWith(request, () => ({ object })),
    ),
    warnings,
  )
}

/** A namespace's finalizers go through a door of their own. */
export async function finalizeNamespace(request: ResourceRequest): Promise<Reply> {
  const body: Doc = docOf(decodeBody(bodyTypeOf(request), await bodyOf(request)))
  const { finalizers } = docOf(body.spec)
  const { store, admission } = request.context
  const object = store.update('/namespaces', undefined, nameOf(request), (current) => {
    const spec = { ...docOf(current.spec), finalizers: Array.isArray(finalizers) ? finalizers : [] }
    const draft = { ...current, spec }
    admission.update(request.type, draft, current, 'finalize')
    return draft
  })
  return ok(present(request, object))
}

export const protectedNamespace = (name: string) =>
  forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted')
