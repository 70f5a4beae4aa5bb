import type { ListSchema, ScalarSchema, Schema, StructSchema } from '../resources/schema.ts'
import type { Doc } from '../store/doc.ts'
import { definitionName, partsOf } from './definition-names.ts'
import { modelDocs } from './model-docs.ts'

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity'
const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'
const TIME = 'io.k8s.apimachinery.pkg.apis.meta.v1.Time'

const reference = (name: string): Doc => ({ $ref: `#/components/schemas/${name}` })

function scalarDocument({ type, format }: ScalarSchema): Doc {
  switch (type) {
    case 'quantity':
      return reference(QUANTITY)
    case 'int-or-string':
      return reference(INT_OR_STRING)
    case 'time':
      return reference(TIME)
    case 'bytes':
      return { type: 'string', format: 'byte' }
    default:
      return format ? { type, format } : { type }
  }
}

function listMarks({ listType, keys, mergeKey, unite, retainKeys }: ListSchema): Doc {
  const strategy = retainKeys ? 'merge,retainKeys' : 'merge'
  return {
    'x-kubernetes-list-type': listType,
    ...(keys.length > 0 ? { 'x-kubernetes-list-map-keys': keys } : {}),
    ...(mergeKey ? { 'x-kubernetes-patch-merge-key': mergeKey, 'x-kubernetes-patch-strategy': strategy } : {}),
    ...(unite ? { 'x-kubernetes-patch-strategy': 'merge' } : {}),
  }
}

function fieldDocument(schema: Schema): Doc {
  switch (schema.kind) {
    case 'any':
      return { type: 'object' }
    case 'scalar':
      return scalarDocument(schema)
    case 'struct':
      return reference(definitionName(schema.name))
    case 'map':
      return {
        type: 'object',
        additionalProperties: fieldDocument(schema.value),
        ...(schema.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
      }
    case 'list':
      return { type: 'array', items: fieldDocument(schema.item), ...listMarks(schema) }
  }
}

/** References stand inside `allOf` so that a description may stand beside them. */
function described(document: Doc, description: string, schema: Schema): Doc {
  const extra = schema.kind === 'struct' && schema.retainKeys ? { 'x-kubernetes-patch-strategy': 'retainKeys' } : {}
  if (!('$ref' in document)) return description ? { description, ...document } : document
  return { ...(description ? { description } : {}), allOf: [document], ...extra }
}

/** The library says nothing of a field whose kind speaks for it. */
const kindDescription = (schema: Schema): string =>
  schema.kind === 'struct' && schema.name ? modelDocs(schema.name).description : ''

/** The definition of one model class. */
function structDocument(struct: StructSchema): Doc {
  const docs = modelDocs(struct.name)
  const properties: Doc = {}
  const required: string[] = []
  for (const [name, field] of struct.fields()) {
    const about = docs.fields.get(name)
    properties[name] = described(fieldDocument(field), about?.description || kindDescription(field), field)
    if (about?.required) required.push(name)
  }
  return {
    ...(docs.description ? { description: docs.description } : {}),
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(struct.atomic && !struct.preserveUnknown ? { 'x-kubernetes-map-type': 'atomic' } : {}),
  }
}

const SIMPLE: Record<string, Doc> = {
  [QUANTITY]: { description: 'A quantity in fixed point, such as 250m, 1.5Gi or 2e3.', type: 'string' },
  [INT_OR_STRING]: {
    description: 'A whole number or a text.',
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
  [TIME]: { description: 'A moment, as RFC 3339 writes it.', type: 'string', format: 'date-time' },
}

/** The definitions of some structs and of everything they are made of, by name. */
export function definitionsOf(roots: readonly StructSchema[]): Record<string, Doc> {
  const definitions: Record<string, Doc> = { ...SIMPLE }
  const waiting = [...roots]
  for (let struct = waiting.pop(); struct; struct = waiting.pop()) {
    const name = definitionName(struct.name)
    if (definitions[name]) continue
    definitions[name] = structDocument(struct)
    waiting.push(...partsOf(struct))
  }
  return definitions
}
