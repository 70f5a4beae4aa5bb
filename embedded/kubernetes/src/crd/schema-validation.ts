import { duplicate, type FieldError, invalidValue, required, unsupported } from '../field-error.ts'
import { type Doc, deepEqual, docOf, isDoc, listOf, textOf } from '../store/doc.ts'

const goKind = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function hasType(value: unknown, type: string): boolean {
  const kind = goKind(value)
  return kind === type || (type === 'number' && kind === 'integer')
}

const patterns = new Map<string, RegExp | undefined>()

/** Go's expressions are not quite those of this runtime; one that it does not take checks nothing. */
function patternOf(source: string): RegExp | undefined {
  if (patterns.has(source)) return patterns.get(source)
  let made: RegExp | undefined
  try {
    made = new RegExp(
      source
        .replace(/\\z/g, '$')
        .replace(/\\A/g, '^')
        .replace(/\(\?P</g, '(?<'),
      'u',
    )
  } catch {
    made = undefined
  }
  patterns.set(source, made)
  return made
}

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function numberErrors(schema: Doc, value: number, at: string): FieldError[] {
  const errors: FieldError[] = []
  const [least, most, step] = [number(schema.minimum), number(schema.maximum), number(schema.multipleOf)]
  if (least !== undefined && (schema.exclusiveMinimum === true ? value <= least : value < least)) {
    const than = schema.exclusiveMinimum === true ? 'greater than' : 'greater than or equal to'
    errors.push(invalidValue(at, value, `${at} in body should be ${than} ${least}`))
  }
  if (most !== undefined && (schema.exclusiveMaximum === true ? value >= most : value > most)) {
    const than = schema.exclusiveMaximum === true ? 'less than' : 'less than or equal to'
    errors.push(invalidValue(at, value, `${at} in body should be ${than} ${most}`))
  }
  if (step && !Number.isInteger(value / step)) {
    errors.push(invalidValue(at, value, `${at} in body should be a multiple of ${step}`))
  }
  return errors
}

const FORMATS: Record<string, (value: string) => boolean> = {
  'date-time': (value) => !Number.isNaN(Date.parse(value)),
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value),
  ipv4: (value) => /^(\d{1,3}\.){3}\d{1,3}$/.test(value),
  uuid: (value) => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value),
  byte: (value) => /^[A-Za-z0-9+/]*={0,2}$/.test(value),
  email: (value) => /^[^@\s]+@[^@\s]+$/.test(value),
}

function textErrors(schema: Doc, value: string, at: string): FieldError[] {
  const errors: FieldError[] = []
  const length = [...value].length
  const [least, most] = [number(schema.minLength), number(schema.maxLength)]
  if (least !== undefined && length < least) {
    errors.push(invalidValue(at, value, `${at} in body should be at least ${least} chars long`))
  }
  if (most !== undefined && length > most) {
    errors.push({ field: at, reason: 'FieldValueTooLong', message: `Too long: may not be more than ${most} bytes` })
  }
  const pattern = typeof schema.pattern === 'string' ? patternOf(schema.pattern) : undefined
  if (pattern && !pattern.test(value)) {
    errors.push(invalidValue(at, value, `${at} in body should match '${schema.pattern}'`))
  }
  const format = textOf(schema.format)
  if (FORMATS[format] && !FORMATS[format](value)) {
    errors.push(invalidValue(at, value, `${at} in body must be of type ${format}: ${JSON.stringify(value)}`))
  }
  return errors
}

function listErrors(schema: Doc, value: readonly unknown[], at: string): FieldError[] {
  const errors: FieldError[] = []
  const [least, most] = [number(schema.minItems), number(schema.maxItems)]
  if (least !== undefined && value.length < least) {
    errors.push(invalidValue(at, value.length, `${at} in body should have at least ${least} items`))
  }
  if (most !== undefined && value.length > most) {
    errors.push({
      field: at,
      reason: 'FieldValueTooMany',
      message: `Too many: ${value.length}: must have at most ${most} items`,
    })
  }
  const keys = listOf(schema['x-kubernetes-list-map-keys']).map(textOf)
  const isKeyed = schema['x-kubernetes-list-type'] === 'map' && keys.length > 0
  const isSet = schema['x-kubernetes-list-type'] === 'set'
  const identity = (item: unknown) => (isKeyed ? Object.fromEntries(keys.map((key) => [key, docOf(item)[key]])) : item)
  if (isKeyed || isSet) {
    value.forEach((item, index) => {
      if (value.slice(0, index).some((other) => deepEqual(identity(other), identity(item)))) {
        errors.push(duplicate(`${at}[${index}]`, identity(item)))
      }
    })
  }
  const item = docOf(schema.items)
  return [...errors, ...value.flatMap((part, index) => schemaErrors(item, part, `${at}[${index}]`))]
}

function objectErrors(schema: Doc, value: Doc, at: string): FieldError[] {
  const inside = (key: string) => (at ? `${at}.${key}` : key)
  const errors = listOf(schema.required)
    .map(textOf)
    .filter((key) => value[key] === undefined)
    .map((key) => required(inside(key)))
  const properties = docOf(schema.properties)
  const rest = schema.additionalProperties
  for (const [key, part] of Object.entries(value)) {
    const known = properties[key]
    if (isDoc(known)) errors.push(...schemaErrors(known, part, inside(key)))
    else if (isDoc(rest)) errors.push(...schemaErrors(rest, part, inside(key)))
  }
  const count = Object.keys(value).length
  const [least, most] = [number(schema.minProperties), number(schema.maxProperties)]
  if (least !== undefined && count < least) {
    errors.push(invalidValue(at, count, `${at} in body should have at least ${least} properties`))
  }
  if (most !== undefined && count > most) {
    errors.push(invalidValue(at, count, `${at} in body should have at most ${most} properties`))
  }
  return errors
}

const holds = (schema: unknown, value: unknown, at: string) => schemaErrors(docOf(schema), value, at).length === 0

function combinedErrors(schema: Doc, value: unknown, at: string): FieldError[] {
  const errors = listOf(schema.allOf).flatMap((part) => schemaErrors(docOf(part), value, at))
  const [any, one] = [listOf(schema.anyOf), listOf(schema.oneOf)]
  if (any.length > 0 && !any.some((part) => holds(part, value, at))) {
    errors.push(invalidValue(at, value, `${at} in body must validate at least one schema (anyOf)`))
  }
  const matching = one.filter((part) => holds(part, value, at)).length
  if (one.length > 0 && matching !== 1) {
    const found = matching === 0 ? 'Found none valid' : `Found ${matching} valid alternatives`
    errors.push(invalidValue(at, value, `${at} in body must validate one and only one schema (oneOf). ${found}`))
  }
  if (isDoc(schema.not) && holds(schema.not, value, at)) {
    errors.push(invalidValue(at, value, `${at} in body must not validate the schema (not)`))
  }
  return errors
}

/** Violations of a JSON schema by a value, in the API server's words. */
export function schemaErrors(schema: Doc, value: unknown, at: string): FieldError[] {
  if (value === null && schema.nullable === true) return []
  const type = textOf(schema.type)
  const either = schema['x-kubernetes-int-or-string'] === true
  const fits = either ? typeof value === 'string' || Number.isInteger(value) : !type || hasType(value, type)
  if (!fits) {
    const wanted = either ? 'integer,string' : type
    return [
      invalidValue(at, goKind(value), `${at} in body must be of type ${wanted}: ${JSON.stringify(goKind(value))}`),
    ]
  }
  const errors: FieldError[] = []
  const allowed = listOf(schema.enum)
  if (allowed.length > 0 && !allowed.some((item) => deepEqual(item, value))) {
    errors.push(unsupported(at, value, allowed.map(String)))
  }
  if (typeof value === 'number') errors.push(...numberErrors(schema, value, at))
  else if (typeof value === 'string') errors.push(...textErrors(schema, value, at))
  else if (Array.isArray(value)) errors.push(...listErrors(schema, value, at))
  else if (isDoc(value)) errors.push(...objectErrors(schema, value, at))
  return [...errors, ...combinedErrors(schema, value, at)]
}
