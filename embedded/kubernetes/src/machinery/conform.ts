import { badRequest } from '../api-error.ts'
import { goTypeOf } from '../resources/merge-keys.ts'
import type { ScalarSchema, Schema, StructSchema } from '../resources/schema.ts'
import { type Doc, isDoc } from '../store/doc.ts'
import { canonicalQuantity, QUANTITY_RULE } from './quantity.ts'

/** State of a walk over an object that a client sent. */
interface Walk {
  unknown: string[]
  kind: string
  version: string
}

const jsonKind = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const GO_SCALARS = { string: 'string', boolean: 'bool', time: 'string', bytes: '[]uint8' } as const

function goType(schema: Schema): string {
  switch (schema.kind) {
    case 'struct':
      return `v1.${goTypeOf(schema.name)}`
    case 'list':
      return `[]${goType(schema.item)}`
    case 'map':
      return `map[string]${goType(schema.value)}`
    case 'scalar':
      if (schema.type === 'integer') return schema.format ?? 'int32'
      if (schema.type === 'number') return 'float64'
      return schema.type in GO_SCALARS ? GO_SCALARS[schema.type as keyof typeof GO_SCALARS] : 'string'
    default:
      return 'interface {}'
  }
}

const withoutIndexes = (path: string): string => path.replace(/\[\d+\]/g, '')

function refuse(walk: Walk, why: string): never {
  throw badRequest(`${walk.kind} in version "${walk.version}" cannot be handled as a ${walk.kind}: ${why}`)
}

function mismatch(walk: Walk, schema: Schema, owner: string, path: string, value: unknown): never {
  const field = `${goTypeOf(owner)}.${withoutIndexes(path)}`
  return refuse(
    walk,
    `json: cannot unmarshal ${jsonKind(value)} into Go struct field ${field} of type ${goType(schema)}`,
  )
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function conformScalar(walk: Walk, schema: ScalarSchema, owner: string, path: string, value: unknown): unknown {
  const fits = {
    string: typeof value === 'string',
    time: typeof value === 'string',
    bytes: typeof value === 'string',
    boolean: typeof value === 'boolean',
    integer: typeof value === 'number' && Number.isInteger(value),
    number: typeof value === 'number',
    quantity: typeof value === 'string' || typeof value === 'number',
    'int-or-string': typeof value === 'string' || typeof value === 'number',
  }
  if (!fits[schema.type]) {
    if (schema.type === 'quantity') return refuse(walk, QUANTITY_RULE)
    if (schema.type === 'integer' && typeof value === 'number') {
      const field = `${goTypeOf(owner)}.${withoutIndexes(path)}`
      const why = `json: cannot unmarshal number ${value} into Go struct field ${field} of type ${goType(schema)}`
      return refuse(walk, why)
    }
    return mismatch(walk, schema, owner, path, value)
  }
  if (schema.type === 'quantity') return canonicalQuantity(value) ?? refuse(walk, QUANTITY_RULE)
  if (schema.type === 'time' && Number.isNaN(Date.parse(String(value)))) {
    return refuse(
      walk,
      `parsing time ${JSON.stringify(JSON.stringify(value))} as "2006-01-02T15:04:05Z07:00": cannot parse`,
    )
  }
  if (schema.type === 'bytes') {
    const joined = String(value).replace(/[\r\n]/g, '')
    const wrong = BASE64.test(joined) ? -1 : Math.max(0, joined.search(/[^A-Za-z0-9+/]/))
    if (wrong >= 0) return refuse(walk, `illegal base64 data at input byte ${wrong}`)
    return joined
  }
  return value
}

function conformStruct(walk: Walk, schema: StructSchema, path: string, value: Doc): Doc {
  const fields = schema.fields()
  for (const key of Object.keys(value)) {
    const field = fields.get(key)
    const at = path ? `${path}.${key}` : key
    if (!field) {
      if (schema.preserveUnknown) continue
      walk.unknown.push(at)
      delete value[key]
    } else if (value[key] === null || value[key] === undefined) {
      delete value[key]
    } else {
      value[key] = conformValue(walk, field, schema.name, at, value[key])
    }
  }
  return value
}

function conformValue(walk: Walk, schema: Schema, owner: string, path: string, value: unknown): unknown {
  switch (schema.kind) {
    case 'any':
      return value
    case 'scalar':
      return conformScalar(walk, schema, owner, path, value)
    case 'struct':
      return isDoc(value) ? conformStruct(walk, schema, path, value) : mismatch(walk, schema, owner, path, value)
    case 'map':
      if (!isDoc(value)) return mismatch(walk, schema, owner, path, value)
      for (const [key, item] of Object.entries(value)) {
        if (item === null && schema.value.kind === 'scalar') value[key] = ''
        else value[key] = conformValue(walk, schema.value, owner, path, item)
      }
      return value
    case 'list':
      if (!Array.isArray(value)) return mismatch(walk, schema, owner, path, value)
      return value.map((item, index) =>
        item === null ? emptyOf(schema.item) : conformValue(walk, schema.item, owner, `${path}[${index}]`, item),
      )
  }
}

const emptyOf = (schema: Schema): unknown => (schema.kind === 'scalar' ? '' : {})

/**
 * Brings a sent object into the form its kind has: wrong types are refused, quantities made canonical, nulls and
 * unknown fields dropped. Works on the object itself. Returns the paths of the fields nobody knows.
 */
export function conform(schema: Schema, object: Doc, kind: string, version: string): string[] {
  if (schema.kind !== 'struct') return []
  const walk: Walk = { unknown: [], kind, version }
  conformStruct(walk, schema, '', object)
  return walk.unknown
}
