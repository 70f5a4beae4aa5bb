/** Schema of a value, in one form for built-in kinds and for those of CRDs. */
export type Schema = ScalarSchema | StructSchema | MapSchema | ListSchema | AnySchema

type ScalarType = 'string' | 'boolean' | 'integer' | 'number' | 'time' | 'bytes' | 'quantity' | 'int-or-string'

export interface ScalarSchema {
  kind: 'scalar'
  type: ScalarType
  /** int32, int64, double: only shown, and used to tell whole numbers. */
  format?: string
}

export interface StructSchema {
  kind: 'struct'
  /** The class of the client library, or '' for a part of a CRD. */
  name: string
  fields: () => ReadonlyMap<string, Schema>
  /** Owned and merged as one piece by server-side apply. */
  atomic?: boolean
  /** Fields nobody named are kept. */
  preserveUnknown?: boolean
  /** A whole object with apiVersion, kind and metadata (x-kubernetes-embedded-resource, or the root). */
  embedded?: boolean
  /** retainKeys: strategic merge drops the members that the patch does not name. */
  retainKeys?: boolean
}

interface MapSchema {
  kind: 'map'
  value: Schema
  atomic?: boolean
}

export interface ListSchema {
  kind: 'list'
  item: Schema
  listType: 'atomic' | 'set' | 'map'
  keys: readonly string[]
  /** Key by which strategic merge matches items; without it lists are replaced, or united when `unite` is set. */
  mergeKey?: string
  unite?: boolean
  retainKeys?: boolean
}

/** Anything at all, kept as it came. */
interface AnySchema {
  kind: 'any'
}

export const ANY: AnySchema = { kind: 'any' }

/** The schema of a member, when the schema says anything of it. */
export function memberOf(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.kind === 'struct') return schema.fields().get(key)
  if (schema?.kind === 'map') return schema.value
  return undefined
}

export const itemOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.kind === 'list' ? schema.item : undefined
