import { isRecord } from '../yaml/scalar-text.ts'
import { remembered } from './remembered.ts'
import { type Effort, fits } from './schema-fits.ts'
import { type JsonObject, resolveSchema } from './schema-resolve.ts'

const maxDepth = 6
/** How many values a beginning is made of at most; what is required beyond that begins with nothing. */
const maxParts = 300

/** A value to begin with under a schema: its default, its first choice, or the emptiest that it allows. */
export const initialOf = remembered((schema, root): unknown => beginningOf(schema, { root, left: maxParts }, 0))

/** How much an alternative adds to a form: the work to find it out, and all that its beginning is made of. */
export const weightOf = remembered(
  (schema, root) => (resolveSchema(schema, root, undefined)?.cost ?? 0) + partsIn(initialOf(schema, root)),
)

/** Number of values in a value, itself and its maps and lists included. */
export function partsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, inner) => sum + partsIn(inner), 1)
}

function beginningOf(schema: unknown, effort: Effort, depth: number): unknown {
  effort.left -= 1
  if (depth > maxDepth || effort.left < 0) return null
  const flat = resolveSchema(schema, effort.root, undefined)?.schema
  if (!flat) return null
  // The default counts only if it has the type itself: with several types it fits just one of them.
  if (flat.default !== undefined && fits({ type: flat.type }, flat.default, { root: effort.root, left: 10 }))
    return flat.default
  if ('const' in flat) return flat.const
  if (Array.isArray(flat.enum) && flat.enum.length > 0) return flat.enum[0]
  const first = [flat.oneOf, flat.anyOf].flatMap((list) => (Array.isArray(list) ? list.slice(0, 1) : []))[0]
  if (isRecord(first) && 'const' in first) return first.const
  return emptyOf(typeOf(flat), flat, effort, depth)
}

function emptyOf(type: string | undefined, flat: JsonObject, effort: Effort, depth: number): unknown {
  if (type === 'object') return requiredOf(flat, effort, depth)
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return typeof flat.minimum === 'number' ? flat.minimum : 0
  return type === 'null' ? null : ''
}

function requiredOf(flat: JsonObject, effort: Effort, depth: number): JsonObject {
  const properties = isRecord(flat.properties) ? flat.properties : {}
  const required = new Set(Array.isArray(flat.required) ? flat.required : [])
  const wanted = Object.entries(properties).filter(
    ([name, schema]) => name !== '__proto__' && (required.has(name) || (isRecord(schema) && 'const' in schema)),
  )
  return Object.fromEntries(wanted.map(([name, schema]) => [name, beginningOf(schema, effort, depth + 1)]))
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
  return ownLabelOf(schema, root) ?? `Choice ${index + 1}`
}

const ownLabelOf = remembered((schema, root): string | undefined => {
  const flat = resolveSchema(schema, root, undefined)?.schema
  if (typeof flat?.title === 'string' && flat.title !== '') return flat.title
  if (flat && 'const' in flat) return String(flat.const)
  const properties = isRecord(flat?.properties) ? Object.values(flat.properties) : []
  const telling = properties.find((one) => isRecord(one) && (typeof one.const === 'string' || isSingle(one.enum)))
  if (isRecord(telling)) return String(telling.const ?? (telling.enum as unknown[])[0])
  return typeWords[flat ? (typeOf(flat) ?? '') : '']
})

function isSingle(list: unknown): boolean {
  return Array.isArray(list) && list.length === 1
}
