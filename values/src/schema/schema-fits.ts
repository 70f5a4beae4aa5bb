import { sameValue } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import { isMultipleOf } from './multiple-of.ts'
import { isSafePattern } from './safe-pattern.ts'

/** How much work one question may cost: schemas come from strangers, and may hold themselves. */
export interface Effort {
  root: unknown
  left: number
}

/**
 * Tells whether a value fits a schema, as far as a form has to know to choose between forms. Keywords that are not
 * listed here count as met; the server checks them all.
 */
export function fits(schema: unknown, value: unknown, effort: Effort): boolean {
  effort.left -= 1
  if (effort.left <= 0 || schema === true || schema === undefined) return true
  if (schema === false) return false
  if (!isRecord(schema)) return true
  return checks.every((check) => check(schema, value, effort))
}

/** Like `fits`, with a part of the effort: a schema that refers to itself would use up all of it, and the stack. */
export function fitsWithin(most: number, schema: unknown, value: unknown, effort: Effort): boolean {
  const own = { root: effort.root, left: Math.min(most, effort.left) }
  effort.left -= own.left
  const answer = fits(schema, value, own)
  effort.left += Math.max(0, own.left)
  return answer
}

type Check = (schema: Record<string, unknown>, value: unknown, effort: Effort) => boolean
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const checks: readonly Check[] = [
  ({ $ref }, value, effort) => typeof $ref !== 'string' || fits(pointed(effort.root, $ref), value, effort),
  ({ type }, value) => type === undefined || [type].flat().some((one) => isOfType(one, value)),
  (schema, value) => !('const' in schema) || sameValue(schema.const, value),
  (schema, value) => !Array.isArray(schema.enum) || schema.enum.some((one) => sameValue(one, value)),
  ({ required }, value) => !isRecord(value) || listOf(required).every((name) => Object.hasOwn(value, String(name))),
  propertiesFit,
  ({ minimum }, value) => typeof value !== 'number' || typeof minimum !== 'number' || value >= minimum,
  ({ maximum }, value) => typeof value !== 'number' || typeof maximum !== 'number' || value <= maximum,
  ({ minLength }, value) => typeof value !== 'string' || typeof minLength !== 'number' || value.length >= minLength,
  ({ maxLength }, value) => typeof value !== 'string' || typeof maxLength !== 'number' || value.length <= maxLength,
  ({ pattern }, value) => typeof value !== 'string' || typeof pattern !== 'string' || matches(pattern, value),
  itemsFit,
  ({ minItems }, value) => !Array.isArray(value) || typeof minItems !== 'number' || value.length >= minItems,
  ({ maxItems }, value) => !Array.isArray(value) || typeof maxItems !== 'number' || value.length <= maxItems,
  ({ exclusiveMinimum: least }, value) => typeof value !== 'number' || typeof least !== 'number' || value > least,
  ({ exclusiveMaximum: most }, value) => typeof value !== 'number' || typeof most !== 'number' || value < most,
  ({ multipleOf: step }, value) => typeof value !== 'number' || typeof step !== 'number' || isMultipleOf(value, step),
  dependenciesFit,
  conditionFits,
  ({ not }, value, effort) => not === undefined || !fits(not, value, effort),
  ({ allOf }, value, effort) => listOf(allOf).every((part) => fits(part, value, effort)),
  ({ anyOf }, value, effort) => !Array.isArray(anyOf) || anyOf.some((part) => fits(part, value, effort)),
  ({ oneOf }, value, effort) => !Array.isArray(oneOf) || oneOf.some((part) => fits(part, value, effort)),
]

function propertiesFit(schema: Record<string, unknown>, value: unknown, effort: Effort): boolean {
  if (!isRecord(value)) return true
  if (typeof schema.minProperties === 'number' && Object.keys(value).length < schema.minProperties) return false
  if (typeof schema.maxProperties === 'number' && Object.keys(value).length > schema.maxProperties) return false
  return Object.entries(value).every(([name, inner]) => {
    const own = schemasOfName(schema, name)
    const others = own.length > 0 || schema.additionalProperties === undefined ? own : [schema.additionalProperties]
    return others.every((one) => fits(one, inner, effort)) && isNameFit(schema.propertyNames, name, effort)
  })
}

/**
 * Schemas of `properties` and `patternProperties` for a name; without `additionalProperties`, which is for all other
 * names.
 */
export function schemasOfName(schema: Record<string, unknown>, name: string): unknown[] {
  const { properties, patternProperties } = schema
  const named = isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
  const patterned = isRecord(patternProperties) ? Object.entries(patternProperties) : []
  return [...named, ...patterned.filter(([pattern]) => matches(pattern, name)).map(([, inner]) => inner)]
}

function isNameFit(names: unknown, name: string, effort: Effort): boolean {
  return names === undefined || fits(names, name, effort)
}

function itemsFit({ items, prefixItems, additionalItems }: Record<string, unknown>, value: unknown, effort: Effort) {
  if (!Array.isArray(value)) return true
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const others = Array.isArray(items) ? additionalItems : items
  return value
    .slice(0, 20)
    .every((item, at) => (at < first.length ? fits(first[at], item, effort) : fits(others, item, effort)))
}

function dependenciesFit(schema: Record<string, unknown>, value: unknown, effort: Effort): boolean {
  if (!isRecord(value)) return true
  const rules = [schema.dependentSchemas, schema.dependentRequired, schema.dependencies].filter(isRecord)
  return rules
    .flatMap((each) => Object.entries(each))
    .filter(([name]) => Object.hasOwn(value, name))
    .every(([, rule]) => fits(Array.isArray(rule) ? { required: rule } : rule, value, effort))
}

function conditionFits(schema: Record<string, unknown>, value: unknown, effort: Effort): boolean {
  if (schema.if === undefined) return true
  return fits(fits(schema.if, value, effort) ? schema.then : schema.else, value, effort)
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value)
  return typeof value === type
}

const longestMatched = 200

/** Tells whether a text matches; a pattern that could run long is left to the server. */
export function matches(pattern: string, value: string): boolean {
  if (value.length > longestMatched || !isSafePattern(pattern)) return true
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}

/** Target of a local reference, by path or by anchor. References to elsewhere are never followed. */
export function pointed(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  if (/^#[^/]/.test(reference)) return anchored(root, decoded(reference.slice(1)))
  let node: unknown = root
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(node)) node = node[Number(key)]
    else node = isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined
  }
  return node
}

function anchored(root: unknown, name: string): unknown {
  if (!isRecord(root)) return undefined
  const shelves = [root.$defs, root.definitions].filter(isRecord)
  return [root, ...shelves.flatMap((shelf) => Object.values(shelf))].find(
    (one) => isRecord(one) && [one.$anchor, one.$dynamicAnchor].includes(name),
  )
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
