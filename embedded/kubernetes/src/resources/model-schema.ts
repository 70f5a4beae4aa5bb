import { createRequire } from 'node:module'
import { isAtomicMap, isAtomicStruct, isQuantity, listMergeOf, retainsKeys } from './merge-keys.ts'
import { ANY, type ScalarSchema, type Schema, type StructSchema } from './schema.ts'

interface Attribute {
  baseName: string
  type: string
  format: string
}

interface ModelClass {
  getAttributeTypeMap(): Attribute[]
}

const requireFromHere = createRequire(import.meta.url)
export const MODEL_FOLDER = '@kubernetes/client-node/dist/gen/models/'
const known = new Map<string, StructSchema>()
const MICRO_TIME = 'V1MicroTime'

/** Loaded one class at a time: only what is really used costs time. */
function attributesOf(className: string): Attribute[] {
  const module: Record<string, ModelClass> = requireFromHere(`${MODEL_FOLDER}${className}.js`)
  const model = module[className]
  if (!model) throw new Error(`the client library has no model ${className}`)
  return model.getAttributeTypeMap()
}

function scalar(type: string, format: string): ScalarSchema | undefined {
  if (type === 'Date' || type === MICRO_TIME) return { kind: 'scalar', type: 'time', format: 'date-time' }
  if (type === 'IntOrString') return { kind: 'scalar', type: 'int-or-string', format }
  if (type === 'boolean') return { kind: 'scalar', type: 'boolean' }
  if (type === 'number') return { kind: 'scalar', type: format.startsWith('int') ? 'integer' : 'number', format }
  if (type !== 'string') return undefined
  return format === 'byte' ? { kind: 'scalar', type: 'bytes', format } : { kind: 'scalar', type: 'string' }
}

const QUANTITY: ScalarSchema = { kind: 'scalar', type: 'quantity' }

function schemaOf(owner: string, field: string, type: string, format: string): Schema {
  const simple = scalar(type, format)
  if (simple) return isQuantity(owner, field) ? QUANTITY : simple
  const inList = /^Array<(.*)>$/.exec(type)?.[1]
  if (inList) {
    const merge = listMergeOf(owner, field)
    return {
      kind: 'list',
      item: schemaOf(owner, `${field}[]`, inList, format),
      listType: merge?.type ?? 'atomic',
      keys: merge?.keys ?? [],
      mergeKey: merge?.patch,
      unite: merge?.unite,
      retainKeys: merge?.retainKeys,
    }
  }
  const inMap = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1]
  if (inMap) {
    const value = isQuantity(owner, field) ? QUANTITY : schemaOf(owner, `${field}{}`, inMap, format)
    return { kind: 'map', value, atomic: isAtomicMap(owner, field) }
  }
  if (/^[A-Z]/.test(type)) {
    const struct = modelSchema(type)
    return retainsKeys(owner, field) ? { ...struct, retainKeys: true } : struct
  }
  return ANY
}

/** JSON schemas are recursive and may hold any keyword: kept as they are, checked by the CRD part itself. */
const OPAQUE = new Set(['V1JSONSchemaProps'])

/** The schema of a model class of the client library; fields are worked out when first asked for. */
export function modelSchema(className: string): StructSchema {
  const found = known.get(className)
  if (found) return found
  let fields: ReadonlyMap<string, Schema> | undefined
  const made: StructSchema = {
    kind: 'struct',
    name: className,
    atomic: isAtomicStruct(className) || OPAQUE.has(className),
    preserveUnknown: OPAQUE.has(className),
    fields: () => {
      fields ??= new Map(
        attributesOf(className).map(({ baseName, type, format }) => [
          baseName,
          OPAQUE.has(className) ? ANY : schemaOf(className, baseName, type, format),
        ]),
      )
      return fields
    },
  }
  known.set(className, made)
  return made
}
