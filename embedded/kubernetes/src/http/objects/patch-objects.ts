import fastJsonPatch, { type Operation } from 'fast-json-patch'
import { badRequest, KubeError } from '../../api-error.ts'
import { invalidObject, invalidValue } from '../../field-error.ts'
import { mergePatch } from '../../machinery/json-merge.ts'
import { applyConfig } from '../../machinery/managed-fields.ts'
import { strategicMerge } from '../../machinery/strategic-merge.ts'
import type { KubeObject } from '../../object-store.ts'
import { apiVersionOf, inVersion, type ResourceType } from '../../resources/resource-type.ts'
import { cloneDoc, type Doc, docOf, isDoc, textOf } from '../../store/doc.ts'
import { decodePatch, type PatchKind, patchKindOf } from '../read-body.ts'
import { created, ok, type Reply } from '../reply.ts'
import { fieldValidationOf, refuseForce } from '../request-options.ts'
import { type FieldValidation, judgeUnknown, shapeObject, takeObject } from './incoming-object.ts'
import { present } from './present.ts'
import { bodyOf, bodyTypeOf, nameOf, namespaceOf, type ResourceRequest, writerOf } from './resource-request.ts'
import { createFrom, hasStatus, replaceWith } from './write-objects.ts'

const MAX_OPERATIONS = 10_000

function applyOperations(current: Doc, patch: unknown): Doc {
  if (!Array.isArray(patch)) {
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp')
  }
  if (patch.length > MAX_OPERATIONS) {
    throw new KubeError(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    )
  }
  try {
    return docOf(fastJsonPatch.applyPatch(current, patch as Operation[], true, true, true).newDocument)
  } catch (error) {
    if (!(error instanceof fastJsonPatch.JsonPatchError)) throw error
    throw new KubeError(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
  }
}

function patchedDocument(request: ResourceRequest, kind: PatchKind, current: Doc, patch: unknown): Doc {
  if (kind === 'json') return applyOperations(cloneDoc(current), patch)
  if (!isDoc(patch)) throw badRequest('the patch is not an object')
  if (kind === 'merge') return cloneDoc(docOf(mergePatch(current, patch)))
  return cloneDoc(strategicMerge(request.type.schema, current, patch))
}

/** A patch may not make another object of this one. */
function checkSameObject({ group, kind }: ResourceType, current: KubeObject, next: Doc): void {
  const { uid } = docOf(next.metadata)
  if (uid === undefined || uid === current.metadata.uid) return
  const error = invalidValue('metadata.uid', uid, 'field is immutable')
  // Both of the checks that find it say so, as they do elsewhere.
  throw invalidObject(group, kind, current.metadata.name, [error, error])
}

/** Checks a patched object for unknown fields: with strict validation they are reported as errors of the patch. */
function judgePatched(type: ResourceType, next: Doc, validation: FieldValidation): string[] {
  const text = validation === 'Strict' ? JSON.stringify(next) : ''
  const unknown = shapeObject(type, next)
  if (unknown.length === 0 || validation !== 'Strict') return judgeUnknown(type, unknown, validation)
  const why = `strict decoding error: ${unknown.map((path) => `unknown field ${JSON.stringify(path)}`).join(', ')}`
  throw invalidObject('', '', '', [invalidValue('patch', text, why)])
}

function patchExisting(request: ResourceRequest, kind: PatchKind, patch: unknown): Reply {
  const { type } = request
  refuseForce(request)
  const validation = fieldValidationOf(request)
  let warnings: string[] = []
  const object = replaceWith(request, (current) => {
    const next = patchedDocument(request, kind, current, patch)
    const { apiVersion, kind: kept } = current
    if (next.kind !== kept || next.apiVersion !== apiVersion) {
      throw badRequest(`the patch may not change apiVersion and kind of the object`)
    }
    checkSameObject(type, current, next)
    warnings = judgePatched(type, next, validation)
    return { object: next as KubeObject }
  })
  return ok(present(request, object), warnings)
}

function shownIdentity(request: ResourceRequest, config: Doc): string {
  const namespace = textOf(docOf(config.metadata).namespace)
  return `${namespace}/${nameOf(request)}; ${apiVersionOf(request.type)}, Kind=${request.type.kind}`
}

function checkApplied(request: ResourceRequest, body: unknown): Doc {
  if (!isDoc(body)) throw badRequest('error decoding YAML: the body is not an object')
  if (!request.query.get('fieldManager')) {
    throw new KubeError(
      422,
      'Invalid',
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      {
        group: 'meta.k8s.io',
        kind: 'PatchOptions',
        causes: [
          {
            reason: 'FieldValueRequired',
            message: 'Required value: is required for apply patch',
            field: 'fieldManager',
          },
        ],
      },
    )
  }
  if (docOf(body.metadata).managedFields !== undefined) {
    throw badRequest('metadata.managedFields must be nil')
  }
  const sentName = docOf(body.metadata).name
  if (sentName === undefined) {
    const why = 'was undeterminable: name must be provided'
    throw badRequest(`the name of the object (${nameOf(request)} based on URL) ${why}`)
  }
  if (sentName !== nameOf(request)) {
    throw badRequest(`the name of the object (${sentName}) does not match the name on the URL (${nameOf(request)})`)
  }
  return { ...body, metadata: { ...docOf(body.metadata), name: nameOf(request) } }
}

function applyExisting(request: ResourceRequest, config: Doc, live: KubeObject | undefined) {
  return applyConfig({
    schema: request.type.schema,
    live,
    config,
    writer: writerOf(request),
    force: request.query.get('force') === 'true',
    hasStatus: hasStatus(request.type),
    about: shownIdentity(request, config),
  })
}

/** Fields nobody knows are an error to apply, whatever the client asked for. */
function takeConfig(request: ResourceRequest, body: Doc): { config: KubeObject; warnings: string[] } {
  const { type } = request
  const sent = cloneDoc(body)
  const { object, warnings } = takeObject(type, sent, type.custom ? fieldValidationOf(request) : 'Warn')
  const unknown = /^unknown field "(.*)"$/.exec(warnings[0] ?? '')?.[1]
  if (unknown !== undefined && !type.custom) {
    const why = `.${unknown}: field not declared in schema`
    throw new KubeError(500, '', `failed to create typed patch object (${shownIdentity(request, body)}): ${why}`)
  }
  return { config: object, warnings }
}

function applyPatch(request: ResourceRequest, patch: unknown): Reply {
  const { context, type, query } = request
  const { config, warnings } = takeConfig(request, checkApplied(request, patch))
  const current = context.store.get(type.storage, namespaceOf(request), nameOf(request))
  if (!current) {
    if (request.path.subresource) {
      throw new KubeError(404, 'NotFound', `${type.plural} ${JSON.stringify(nameOf(request))} not found`, {})
    }
    const { managedFields } = applyExisting(request, config, undefined)
    return created(present(request, createFrom(request, { object: config, warnings }, managedFields)), warnings)
  }
  if (query.get('force') && query.get('force') !== 'true' && query.get('force') !== 'false') {
    throw badRequest(`force: Invalid value: ${JSON.stringify(query.get('force'))}`)
  }
  const object = replaceWith(request, (live) => {
    const { object: next, managedFields } = applyExisting(request, config, inVersion(type, live))
    return { object: cloneDoc(next) as KubeObject, managedFields }
  })
  return ok(present(request, object), warnings)
}

/** Patches of all four kinds. */
export async function patchObject(request: ResourceRequest): Promise<Reply> {
  const kind = patchKindOf(bodyTypeOf(request), request.type.custom !== undefined)
  const patch = decodePatch(kind, await bodyOf(request))
  return kind === 'apply' ? applyPatch(request, patch) : patchExisting(request, kind, patch)
}
