import { sameValue } from './plain-values.ts'
import { isSafePattern } from './safe-pattern.ts'
import { isRecord } from './scalar-text.ts'

/** How much work one question may cost: schemas come from strangers, and may hold themselves. */
export interface Effort {
  root: unknown
  left: number
}

/**
 * Whether a value fits a schema, as far as a form has to know to choose between forms. Keywords that are not listed
 * here count as met; the server checks them all.
 */
export function fits(schema: unknown, value: unknown, effort: Effort): boolean {
  effort.left -= 1
  if (effort.left <= 0 || schema === true || schema === undefined) return true
  if (schema === false) return false
  if (!isRecord(schema)) return true
  return checks.every((check) => check(schema, value, effort))
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
  ({ items }, value, effort) =>
    !Array.isArray(value) || !isRecord(items) || value.slice(0, 20).every((item) => fits(items, item, effort)),
  ({ not }, value, effort) => not === undefined || !fits(not, value, effort),
  ({ allOf }, value, effort) => listOf(allOf).every((part) => fits(part, value, effort)),
  ({ anyOf }, value, effort) => !Array.isArray(anyOf) || anyOf.some((part) => fits(part, value, effort)),
  ({ oneOf }, value, effort) => !Array.isArray(oneOf) || oneOf.some((part) => fits(part, value, effort)),
]

function propertiesFit(schema: Record<string, unknown>, value: unknown, effort: Effort): boolean {
  if (!isRecord(value)) return true
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const isEachFit = Object.entries(properties).every(
    ([name, inner]) => !Object.hasOwn(value, name) || fits(inner, value[name], effort),
  )
  const isClosed = schema.additionalProperties === false && !isRecord(schema.patternProperties)
  return isEachFit && (!isClosed || Object.keys(value).every((name) => Object.hasOwn(properties, name)))
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value)
  return typeof value === type
}

const longestMatched = 200

/** Whether a text matches; a pattern that could run long is left to the server. */
export function matches(pattern: string, value: string): boolean {
  if (value.length > longestMatched || !isSafePattern(pattern)) return true
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}

/** What a local reference points at: by path, or by anchor. References to elsewhere are never followed. */
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
