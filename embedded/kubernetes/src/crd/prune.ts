import { conform } from '../machinery/conform.ts'
import { modelSchema } from '../resources/model-schema.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import type { Schema, StructSchema } from '../resources/schema.ts'
import { type Doc, isDoc } from '../store/doc.ts'

const ROOT_FIELDS = new Set(['apiVersion', 'kind', 'metadata'])

function pruneStruct(schema: StructSchema, value: Doc, path: string, unknown: string[]): void {
  const fields = schema.fields()
  for (const key of Object.keys(value)) {
    if (schema.embedded && ROOT_FIELDS.has(key)) continue
    const field = fields.get(key)
    const at = path ? `${path}.${key}` : key
    if (field) pruneValue(field, value[key], at, unknown)
    else if (!schema.preserveUnknown) {
      unknown.push(at)
      delete value[key]
    }
  }
}

function pruneValue(schema: Schema, value: unknown, path: string, unknown: string[]): void {
  if (schema.kind === 'struct' && isDoc(value)) pruneStruct(schema, value, path, unknown)
  else if (schema.kind === 'map' && isDoc(value)) {
    for (const [key, part] of Object.entries(value)) pruneValue(schema.value, part, `${path}.${key}`, unknown)
  } else if (schema.kind === 'list' && Array.isArray(value)) {
    value.forEach((part, index) => {
      pruneValue(schema.item, part, `${path}[${index}]`, unknown)
    })
  }
}

/** Drops what a custom resource's schema does not know. Returns the paths of what was dropped. */
export function pruneCustom(type: ResourceType, object: Doc): string[] {
  const { metadata } = object
  const unknown = isDoc(metadata) ? conform(modelSchema('V1ObjectMeta'), metadata, type.kind, type.version) : []
  const paths = unknown.map((path) => `metadata.${path}`)
  if (type.schema.kind === 'struct') pruneStruct(type.schema, object, '', paths)
  return paths
}
