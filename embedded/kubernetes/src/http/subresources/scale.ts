import fastJsonPatch, { type Operation } from 'fast-json-patch'
import { badRequest } from '../../api-error.ts'
import { invalidObject, invalidValue } from '../../field-error.ts'
import { mergePatch } from '../../machinery/json-merge.ts'
import { selectorRequirements } from '../../machinery/selectors.ts'
import type { KubeObject } from '../../object-store.ts'
import type { ResourceType } from '../../resources/resource-type.ts'
import { cloneDoc, type Doc, docOf, isDoc, textOf } from '../../store/doc.ts'
import { storedObject } from '../objects/read-objects.ts'
import { bodyOf, bodyTypeOf, type ResourceRequest } from '../objects/resource-request.ts'
import { replaceWith } from '../objects/write-objects.ts'
import { decodeBody, decodePatch, patchKindOf } from '../read-body.ts'
import { ok, type Reply } from '../reply.ts'

const stepsOf = (path: string): string[] => path.split('.').filter(Boolean)

function valueAt(object: unknown, path: string): unknown {
  let value: unknown = object
  for (const step of stepsOf(path)) value = docOf(value)[step]
  return value
}

function withValue(object: Doc, path: string, value: unknown): Doc {
  const result = cloneDoc(object)
  const steps = stepsOf(path)
  const last = steps.pop() ?? ''
  let at: Doc = result
  for (const step of steps) {
    // A definition says the path: what every object has by JavaScript is not written to.
    const inner = Object.hasOwn(at, step) && isDoc(at[step]) ? (at[step] as Doc) : {}
    at[step] = inner
    at = inner
  }
  at[last] = value
  return result
}

const DEFAULT_PATHS = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }

const pathsOf = (type: ResourceType) => type.custom?.scale ?? DEFAULT_PATHS

function selectorText(type: ResourceType, object: KubeObject): string {
  const path = type.custom ? type.custom.scale?.labelSelectorPath : '.spec.selector'
  const selector = path ? valueAt(object, path) : undefined
  if (typeof selector === 'string') return selector
  if (!isDoc(selector)) return ''
  const isPlain = type.storage === '/replicationcontrollers'
  const requirements = selectorRequirements(isPlain ? { matchLabels: selector as Record<string, string> } : selector)
  return requirements
    .map(({ key, operator, values }) => {
      if (operator === '=') return `${key}=${values[0]}`
      if (operator === 'exists') return key
      return operator === '!exists' ? `!${key}` : `${key} ${operator} (${values.join(',')})`
    })
    .join(',')
}

function scaleOf(type: ResourceType, object: KubeObject): Doc {
  const paths = pathsOf(type)
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = selectorText(type, object)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: valueAt(object, paths.specReplicasPath) ?? 0 },
    status: { replicas: valueAt(object, paths.statusReplicasPath) ?? 0, ...(selector ? { selector } : {}) },
  }
}

/** How many of it there should be, in the one form that all scalable kinds share. */
export const readScale = (request: ResourceRequest): Reply => ok(scaleOf(request.type, storedObject(request)))

async function wantedScale(request: ResourceRequest, current: Doc): Promise<Doc> {
  const bytes = await bodyOf(request)
  if (request.message.method === 'PUT') return docOf(decodeBody(bodyTypeOf(request), bytes))
  const kind = patchKindOf(bodyTypeOf(request), false)
  const patch = decodePatch(kind, bytes)
  if (kind !== 'json') return docOf(mergePatch(current, patch))
  return docOf(fastJsonPatch.applyPatch(cloneDoc(current), patch as Operation[], true, true, true).newDocument)
}

/** Sets the number of replicas. */
export async function writeScale(request: ResourceRequest): Promise<Reply> {
  const { type } = request
  const wanted = await wantedScale(request, scaleOf(type, storedObject(request)))
  const replicas = docOf(wanted.spec).replicas ?? 0
  if (typeof replicas !== 'number' || !Number.isInteger(replicas))
    throw badRequest('spec.replicas must be a whole number')
  if (replicas < 0) {
    const why = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')
    throw invalidObject('autoscaling', 'Scale', textOf(docOf(wanted.metadata).name), [why])
  }
  const version = textOf(docOf(wanted.metadata).resourceVersion)
  const object = replaceWith(request, (current) => {
    const next = withValue(current, pathsOf(type).specReplicasPath, replicas) as KubeObject
    next.metadata.resourceVersion = version || current.metadata.resourceVersion
    return { object: next }
  })
  return ok(scaleOf(type, object))
}
