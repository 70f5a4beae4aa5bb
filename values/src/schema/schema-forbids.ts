import { isRecord } from '../yaml/scalar-text.ts'
import { type Effort, fitsWithin, pointed, schemasOfName } from './schema-fits.ts'
import type { JsonObject } from './schema-resolve.ts'

const maxSteps = 200
/** How much it may cost to ask for one name alone. */
export const stepsOfName = 2000

/** Tells whether schemas that all hold leave no room for an entry of this name, as far as can be told in time. */
export function forbids(parts: readonly JsonObject[], name: string, effort: Effort): boolean {
  if (parts.some((part) => forbidsAlone(part, name, effort))) return true
  return parts.some(({ unevaluatedProperties }) => unevaluatedProperties === false) && !parts.some(isMentioned(name))
}

function forbidsAlone(part: JsonObject, name: string, effort: Effort): boolean {
  const { root } = effort
  effort.left -= 1
  if (effort.left <= 0) return false
  const own = schemasOfName(part, name)
  if (own.some((schema) => isNever(schema, root))) return true
  if (own.length === 0 && part.additionalProperties !== undefined && isNever(part.additionalProperties, root))
    return true
  if (isRuledOut(part.not, name)) return true
  return part.propertyNames !== undefined && !fitsWithin(maxSteps, part.propertyNames, name, effort)
}

function isMentioned(name: string) {
  return (part: JsonObject) => schemasOfName(part, name).length > 0 || part.additionalProperties !== undefined
}

function isNever(schema: unknown, root: unknown): boolean {
  if (!isRecord(schema)) return schema === false
  if (typeof schema.$ref === 'string' && pointed(root, schema.$ref) === false) return true
  return isRecord(schema.not) && Object.keys(schema.not).length === 0
}

/** `not: { required: [name] }`, also as one of several. */
function isRuledOut(not: unknown, name: string): boolean {
  if (!isRecord(not)) return false
  if (Array.isArray(not.anyOf)) return not.anyOf.some((one) => isRuledOut(one, name))
  const isAlone = Object.keys(not).every((key) => key === 'required' || key === 'type')
  return isAlone && Array.isArray(not.required) && not.required.length === 1 && not.required[0] === name
}
