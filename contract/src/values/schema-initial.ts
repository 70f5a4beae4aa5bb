import { isRecord } from './scalar-text.ts'
import { type JsonObject, resolveSchema } from './schema-resolve.ts'

const maxDepth = 6

/** A value to begin with under a schema: its default, its first choice, or the emptiest that it allows. */
export function initialOf(schema: unknown, root: unknown, depth = 0): unknown {
  const flat = resolveSchema(schema, root, undefined)?.schema
  if (!flat || depth > maxDepth) return null
  if (flat.default !== undefined) return flat.default
  if ('const' in flat) return flat.const
  if (Array.isArray(flat.enum) && flat.enum.length > 0) return flat.enum[0]
  const first = [flat.oneOf, flat.anyOf].flatMap((list) => (Array.isArray(list) ? list.slice(0, 1) : []))[0]
  if (isRecord(first) && 'const' in first) return first.const
  return emptyOf(typeOf(flat), flat, root, depth)
}

function emptyOf(type: string | undefined, flat: JsonObject, root: unknown, depth: number): unknown {
  if (type === 'object') return requiredOf(flat, root, depth)
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return typeof flat.minimum === 'number' ? flat.minimum : 0
  return type === 'null' ? null : ''
}

function requiredOf(flat: JsonObject, root: unknown, depth: number): JsonObject {
  const properties = isRecord(flat.properties) ? flat.properties : {}
  const required = Array.isArray(flat.required) ? flat.required : []
  const wanted = Object.entries(properties).filter(
    ([name, schema]) => name !== '__proto__' && (required.includes(name) || (isRecord(schema) && 'const' in schema)),
  )
  return Object.fromEntries(wanted.map(([name, schema]) => [name, initialOf(schema, root, depth + 1)]))
}

function typeOf(flat: JsonObject): string | undefined {
  const type = [flat.type].flat().find((one) => one !== 'null' || flat.type === 'null')
  if (typeof type === 'string') return type
  if (isRecord(flat.properties) && Object.keys(flat.properties).length > 0) return 'object'
  return isRecord(flat.items) ? 'array' : undefined
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Number',
  boolean: 'On or off',
  object: 'Group',
  array: 'List',
  null: 'Nothing',
}

/** How an alternative is called: by its title, by the value that tells it from the others, or by its type. */
export function labelOf(schema: unknown, root: unknown, index: number): string {
  const flat = resolveSchema(schema, root, undefined)?.schema
  if (typeof flat?.title === 'string' && flat.title !== '') return flat.title
  if (flat && 'const' in flat) return String(flat.const)
  const properties = isRecord(flat?.properties) ? Object.values(flat.properties) : []
  const telling = properties.find((one) => isRecord(one) && (typeof one.const === 'string' || isSingle(one.enum)))
  if (isRecord(telling)) return String(telling.const ?? (telling.enum as unknown[])[0])
  return typeWords[flat ? (typeOf(flat) ?? '') : ''] ?? `Choice ${index + 1}`
}

function isSingle(list: unknown): boolean {
  return Array.isArray(list) && list.length === 1
}
