import { isRecord } from '../yaml/scalar-text.ts'
import { distinctChoices, distinctOptions } from './distinct-labels.ts'
import { forbids, stepsOfName } from './schema-forbids.ts'
import { initialOf, labelOf, weightOf } from './schema-initial.ts'
import { type ChosenBranch, type JsonObject, type Resolved, resolveSchema } from './schema-resolve.ts'

/** Shape of a value by its JSON schema, as far as a form can show it. */
export interface Shape {
  type: string | undefined
  isNullable: boolean
  title: string | undefined
  description: string | undefined
  default: unknown
  options: { value: unknown; label: string }[] | undefined
  /** Few exclusive choices, each with its own title: they are shown side by side. */
  isRadio: boolean
  /** The one value that there may be. */
  constant: { value: unknown } | undefined
  /** Several forms that the value may take, each with the value that it begins with, and the one it has. */
  choices: { label: string; value: unknown }[]
  choice: number
  /** Results of the schema's conditions for this value, as a text. */
  variant: string
  isSecret: boolean
  isDate: boolean
  properties: Readonly<Record<string, unknown>>
  /** For a map: the schema of entries under names that nobody knows beforehand, and how such names look. */
  entries:
    | { schema: unknown; pattern: string | undefined; named: readonly [pattern: string, schema: unknown][] }
    | undefined
  required: readonly string[]
  /** Tells whether an entry of this name must not be. */
  isForbidden: (name: string) => boolean
  items: unknown
  validations: { name: string; validator: unknown; message: string }[]
  /** How much work it was to find all of this out. */
  cost: number
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** The shape of a value under a schema; conditions and alternatives are decided by the value that is there. */
export function shapeOf(schema: unknown, root: unknown, value?: unknown, asked?: ChosenBranch): Shape | undefined {
  const resolved = resolveSchema(schema, root, value, asked)
  if (!resolved) return undefined
  const { schema: merged, variant, branch, parts, cost } = resolved
  const types = [merged.type].flat().filter((type): type is string => typeof type === 'string')
  const known = types.filter((type) => type !== 'null')
  const options = optionsOf(merged)
  const properties = isRecord(merged.properties) ? merged.properties : {}
  const isObject = Object.keys(properties).length > 0 || isRecord(merged.patternProperties)
  return {
    type: known[0] ?? (isObject ? 'object' : isRecord(merged.items) ? 'array' : undefined),
    isNullable: types.includes('null') || types.length === 0,
    title: text(merged.title),
    description: text(merged.description),
    default: merged.default,
    options,
    isRadio: options !== undefined && !Array.isArray(merged.enum) && options.length <= 4,
    constant: 'const' in merged && typeof merged.const !== 'object' ? { value: merged.const } : undefined,
    choices: choicesOf(resolved, root, value),
    choice: branch,
    variant,
    isSecret: merged.format === 'password' || merged.writeOnly === true,
    isDate: merged.format === 'date',
    properties,
    entries: entriesOf(merged),
    required: Array.isArray(merged.required) ? merged.required.filter((name) => typeof name === 'string') : [],
    isForbidden: (name) => forbids(parts, name, { root, left: stepsOfName }),
    items: isRecord(merged.items) ? merged.items : undefined,
    validations: validationsOf(merged),
    cost: resolved.branches.reduce<number>((sum, part) => sum + weightOf(part, root), cost),
  }
}

function choicesOf({ branches, branch, schema }: Resolved, root: unknown, value: unknown): Shape['choices'] {
  const base = isRecord(schema.properties) ? schema.properties : {}
  return distinctChoices(
    branches.map((part, index) => ({
      label: labelOf(part, root, index),
      value: index === branch && value !== undefined ? value : startOf(part, root, value, base),
    })),
  )
}

/** Value that a form begins with when it is chosen: its own initial value, and the present values that it shares. */
function startOf(part: unknown, root: unknown, value: unknown, base: JsonObject): unknown {
  const start = initialOf(part, root)
  if (!isRecord(start) || !isRecord(value)) return start
  const flat = resolveSchema(part, root, undefined)?.schema.properties
  const known: JsonObject = isRecord(flat) ? flat : {}
  const isKept = (name: string) => {
    const own = Object.hasOwn(known, name) ? known[name] : undefined
    return own === undefined ? !Object.hasOwn(base, name) : !(isRecord(own) && ('const' in own || 'enum' in own))
  }
  return { ...start, ...Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name))) }
}

function optionsOf(schema: JsonObject): Shape['options'] {
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null
  if (Array.isArray(schema.enum) && schema.enum.every(isPlain)) {
    const labelled = (value: unknown) => (value === '' ? '(empty)' : value === null ? '(none)' : String(value))
    return distinctOptions(schema.enum.slice(0, 500).map((value) => ({ value, label: labelled(value) })))
  }
  const parts = Array.isArray(schema.oneOf) ? schema.oneOf : schema.anyOf
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > 500) return undefined
  if (!parts.every((part) => isRecord(part) && 'const' in part && isPlain(part.const))) return undefined
  return distinctOptions(
    parts.map((part: JsonObject) => ({ value: part.const, label: text(part.title) ?? String(part.const) })),
  )
}

function entriesOf(schema: JsonObject): Shape['entries'] {
  const names = isRecord(schema.propertyNames) ? text(schema.propertyNames.pattern) : undefined
  const { additionalProperties: any, patternProperties } = schema
  const named = Object.entries(isRecord(patternProperties) ? patternProperties : {})
  if (isRecord(any) && Object.keys(any).length > 0) return { schema: any, pattern: names, named }
  const first = named.find(([, inner]) => isRecord(inner))
  if (first === undefined) return undefined
  const [pattern, inner] = first
  const all = named.length === 1 ? pattern : named.map(([one]) => `(?:${one})`).join('|')
  return { schema: inner, pattern: names ?? all, named }
}

const sentences: Readonly<Record<string, (limit: unknown) => string>> = {
  minimum: (limit) => `Enter ${limit} or more.`,
  maximum: (limit) => `Enter ${limit} or less.`,
  exclusiveMinimum: (limit) => `More than ${limit}`,
  exclusiveMaximum: (limit) => `Less than ${limit}`,
  multipleOf: (limit) => `A multiple of ${limit}`,
  minLength: (limit) => (limit === 1 ? 'Required' : `At least ${limit} characters`),
  maxLength: (limit) => `At most ${limit} ${limit === 1 ? 'character' : 'characters'}`,
  minItems: (limit) => `At least ${limit} ${limit === 1 ? 'entry' : 'entries'}`,
  maxItems: (limit) => `At most ${limit} ${limit === 1 ? 'entry' : 'entries'}`,
  pattern: (limit) => `Must match ${limit}`,
}

function validationsOf(schema: JsonObject): Shape['validations'] {
  const found: Shape['validations'] = []
  for (const [name, sentence] of Object.entries(sentences)) {
    const limit = schema[name]
    if (name === 'pattern' ? typeof limit === 'string' && limit.length <= 300 : typeof limit === 'number') {
      found.push({ name, validator: limit, message: sentence(limit) })
    }
  }
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items
  const isClosed = Array.isArray(schema.prefixItems) ? schema.items === false : schema.additionalItems === false
  if (Array.isArray(first) && isClosed && typeof schema.maxItems !== 'number')
    found.push({ name: 'maxItems', validator: first.length, message: sentences.maxItems?.(first.length) ?? '' })
  if (schema.type === 'integer') found.push({ name: 'integer', validator: true, message: 'A whole number' })
  return found
}
