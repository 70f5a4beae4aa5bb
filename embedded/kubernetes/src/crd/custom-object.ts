import { limitedTime, TookTooLong } from '../admission/limited-time.ts'
import { metadataErrors } from '../admission/rules/names.ts'
import { ruleErrors } from '../expressions/schema-rules.ts'
import { type FieldError, forbiddenField } from '../field-error.ts'
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
    // A definition names its fields as it likes: one that JavaScript gives to every object is not the object's own.
    if (key in {}) continue
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

const limitMs = 1000
const refusedMs = 60_000
/** Kinds whose definitions took too long to check, and until when nothing of them is checked again. */
const slow = new WeakMap<ResourceType, number>()
const tooSlow = forbiddenField('', 'what its definition demands takes too long to check')

/** Errors in a custom object. The patterns and expressions of a definition are anybody's, and could run without an end. */
export function customErrors(type: ResourceType, draft: KubeObject, old?: KubeObject): FieldError[] {
  if ((slow.get(type) ?? 0) > Date.now()) return [tooSlow]
  try {
    return limitedTime(limitMs, () => errorsOf(type, draft, old))
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error
    slow.set(type, Date.now() + refusedMs)
    return [tooSlow]
  }
}

/** CEL expressions are evaluated only when the schema has no errors. */
function errorsOf(type: ResourceType, draft: KubeObject, old?: KubeObject): FieldError[] {
  const schema = type.custom?.jsonSchema
  const errors = metadataErrors(type.storage, draft)
  if (!schema) return errors
  errors.push(...schemaErrors(schema, draft, ''))
  return errors.length === 0 && type.custom?.hasRules ? ruleErrors(schema, draft, old, '') : errors
}
