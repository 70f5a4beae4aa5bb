import { metadataErrors } from '../admission/rules/names.ts'
import { ruleErrors } from '../expressions/schema-rules.ts'
import type { FieldError } from '../field-error.ts'
import type { KubeObject } from '../object-store.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { cloneDoc, type Doc, docOf, isDoc } from '../store/doc.ts'
import { schemaErrors } from './schema-validation.ts'

/** Fills in the defaults that a schema names, in the object itself. Nulls where none is allowed count as left out. */
export function fillSchemaDefaults(schema: Doc, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) fillSchemaDefaults(docOf(schema.items), item)
    return
  }
  if (!isDoc(value)) return
  for (const [key, part] of Object.entries(docOf(schema.properties))) {
    const own = docOf(part)
    if (value[key] === null && own.nullable !== true) delete value[key]
    if (value[key] === undefined && own.default !== undefined) value[key] = cloneDoc(own.default)
    if (value[key] !== undefined) fillSchemaDefaults(own, value[key])
  }
  const rest = schema.additionalProperties
  if (!isDoc(rest)) return
  const named = docOf(schema.properties)
  for (const [key, part] of Object.entries(value)) if (!(key in named)) fillSchemaDefaults(rest, part)
}

/** Errors in a custom object. Its CEL expressions are evaluated only when the schema has no errors. */
export function customErrors(type: ResourceType, draft: KubeObject, old?: KubeObject): FieldError[] {
  const schema = type.custom?.jsonSchema
  const errors = metadataErrors(type.storage, draft)
  if (!schema) return errors
  errors.push(...schemaErrors(schema, draft, ''))
  return errors.length === 0 && type.custom?.hasRules ? ruleErrors(schema, draft, old, '') : errors
}
