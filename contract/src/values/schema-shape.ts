/** What a JSON schema says of one value, as far as a form can show it. */
export interface Shape {
  type: string | undefined
  isNullable: boolean
  title: string | undefined
  description: string | undefined
  default: unknown
  options: { value: unknown; label: string }[] | undefined
  /** Few exclusive choices, each with its own title: they are shown side by side. */
  isRadio: boolean
  /** One of several forms, or a map with free keys: a form cannot show it. */
  isOpen: boolean
  isSecret: boolean
  isDate: boolean
  properties: Readonly<Record<string, unknown>>
  required: readonly string[]
  items: unknown
  validations: { name: string; validator: unknown; message: string }[]
}

type JsonObject = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const maxHops = 32

export function shapeOf(schema: unknown, root: unknown): Shape | undefined {
  const merged = flattened(schema, root, 0)
  if (!merged) return undefined
  const types = [merged.type].flat().filter((type): type is string => typeof type === 'string')
  const known = types.filter((type) => type !== 'null')
  const options = optionsOf(merged)
  const properties = isObject(merged.properties) ? merged.properties : {}
  return {
    type: known.length === 1 ? known[0] : undefined,
    isNullable: types.includes('null') || types.length === 0,
    title: text(merged.title),
    description: text(merged.description),
    default: merged.default,
    options,
    isRadio: options !== undefined && !Array.isArray(merged.enum) && options.length <= 4,
    isOpen: options === undefined && (isChoice(merged) || known.length > 1 || isMap(merged, properties)),
    isSecret: merged.format === 'password' || merged.writeOnly === true,
    isDate: merged.format === 'date',
    properties,
    required: Array.isArray(merged.required) ? merged.required.filter((name) => typeof name === 'string') : [],
    items: isObject(merged.items) ? merged.items : undefined,
    validations: validationsOf(merged),
  }
}

/** Follows local references and lays `allOf` parts over each other. References to elsewhere are never followed. */
function flattened(schema: unknown, root: unknown, hops: number): JsonObject | undefined {
  if (!isObject(schema) || hops > maxHops) return undefined
  let result: Record<string, unknown> = {}
  const lay = (part: JsonObject | undefined) => {
    if (!part) return
    const properties = { ...(result.properties as JsonObject), ...(part.properties as JsonObject) }
    const required = [...((result.required as string[]) ?? []), ...(Array.isArray(part.required) ? part.required : [])]
    result = { ...result, ...part, properties, required }
  }
  const reference = text(schema.$ref) ?? text(schema.$dynamicRef)
  if (reference) lay(flattened(pointed(root, reference), root, hops + 1))
  if (Array.isArray(schema.allOf)) {
    for (const part of schema.allOf.slice(0, 20)) lay(flattened(part, root, hops + 4))
  }
  const single = nullableChoice(schema)
  if (single !== undefined) lay(flattened(single, root, hops + 4))
  lay(schema)
  if (single !== undefined) {
    delete result.anyOf
    delete result.oneOf
  }
  return result
}

/** `anyOf: [X, {type: null}]` is X that may be empty. */
function nullableChoice(schema: JsonObject): unknown {
  const parts = Array.isArray(schema.anyOf) ? schema.anyOf : schema.oneOf
  if (!Array.isArray(parts) || parts.length !== 2) return undefined
  const rest = parts.filter((part) => !isObject(part) || part.type !== 'null')
  return rest.length === 1 ? rest[0] : undefined
}

function pointed(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let node: unknown = root
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const key = decodePointer(part)
    node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined
  }
  return node
}

function decodePointer(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

function optionsOf(schema: JsonObject): Shape['options'] {
  if (Array.isArray(schema.enum) && schema.enum.every((value) => !isObject(value) && !Array.isArray(value))) {
    return schema.enum.slice(0, 500).map((value) => ({ value, label: value === '' ? '(empty)' : String(value) }))
  }
  const parts = Array.isArray(schema.oneOf) ? schema.oneOf : schema.anyOf
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > 500) return undefined
  if (!parts.every((part) => isObject(part) && 'const' in part && typeof part.const !== 'object')) return undefined
  return parts.map((part: JsonObject) => ({ value: part.const, label: text(part.title) ?? String(part.const) }))
}

function isChoice(schema: JsonObject): boolean {
  return Array.isArray(schema.oneOf) || Array.isArray(schema.anyOf)
}

function isMap(schema: JsonObject, properties: JsonObject): boolean {
  if (Object.keys(properties).length > 0) return false
  return isObject(schema.additionalProperties) || isObject(schema.patternProperties)
}

const sentences: Readonly<Record<string, (limit: unknown) => string>> = {
  minimum: (limit) => `At least ${limit}`,
  maximum: (limit) => `At most ${limit}`,
  exclusiveMinimum: (limit) => `More than ${limit}`,
  exclusiveMaximum: (limit) => `Less than ${limit}`,
  multipleOf: (limit) => `A multiple of ${limit}`,
  minLength: (limit) => (limit === 1 ? 'Required' : `At least ${limit} characters`),
  maxLength: (limit) => `At most ${limit} characters`,
  minItems: (limit) => `At least ${limit} entries`,
  maxItems: (limit) => `At most ${limit} entries`,
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
  if (schema.type === 'integer') found.push({ name: 'integer', validator: true, message: 'A whole number' })
  return found
}
