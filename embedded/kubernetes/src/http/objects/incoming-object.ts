import { badRequest, KubeError } from '../../api-error.ts'
import { pruneCustom } from '../../crd/prune.ts'
import { conform } from '../../machinery/conform.ts'
import type { KubeObject } from '../../object-store.ts'
import { apiVersionOf, type ResourceType } from '../../resources/resource-type.ts'
import { type Doc, docOf, isDoc } from '../../store/doc.ts'

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

/** A sent object in the form of its kind, with what the client should be told about it. */
export interface Incoming {
  object: KubeObject
  warnings: string[]
}

function checkKind(sent: Doc, { kind, version }: ResourceType, apiVersion: string): void {
  if (sent.kind !== undefined && sent.kind !== kind) {
    throw badRequest(`${sent.kind} in version "${version}" cannot be handled as a ${kind}: it is another kind`)
  }
  if (sent.apiVersion !== undefined && sent.apiVersion !== apiVersion) {
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: no kind "${kind}" is registered for version "${sent.apiVersion}"`,
    )
  }
}

/** Drops what the schema does not know, as the version being served has it, and says what was dropped. */
export function shapeObject(type: ResourceType, sent: Doc): string[] {
  if (type.custom) return pruneCustom(type, sent)
  return conform(type.schema, sent, type.kind, type.version)
}

export function judgeUnknown(
  type: ResourceType,
  unknown: readonly string[],
  validation: FieldValidation,
  twice: readonly string[] = [],
): string[] {
  if (unknown.length + twice.length === 0 || validation === 'Ignore') return []
  const messages = [
    ...twice.map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
  ]
  if (validation === 'Warn') return messages
  throw new KubeError(
    400,
    'BadRequest',
    `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: strict decoding error: ${messages.join(', ')}`,
  )
}

/** Takes a decoded body as an object of `type`. */
export function takeObject(
  type: ResourceType,
  body: unknown,
  validation: FieldValidation,
  twice: readonly string[] = [],
): Incoming {
  if (!isDoc(body)) throw badRequest(`couldn't get version/kind; json parse error: the body is not an object`)
  const apiVersion = apiVersionOf(type)
  checkKind(body, type, apiVersion)
  const sent: Doc = { ...body, apiVersion, kind: type.kind, metadata: docOf(body.metadata) }
  const warnings = judgeUnknown(type, shapeObject(type, sent), validation, twice)
  return { object: sent as KubeObject, warnings }
}
