import { modelSchema } from '../resources/model-schema.ts'
import { ANY, type ListSchema, type Schema, type StructSchema } from '../resources/schema.ts'
import { type Doc, docOf, isDoc, listOf, textOf } from '../store/doc.ts'

const SCALARS: Record<string, 'string' | 'boolean' | 'integer' | 'number'> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
}

function listSchema(node: Doc): ListSchema {
  const type = node['x-kubernetes-list-type']
  return {
    kind: 'list',
    item: nodeSchema(docOf(node.items)),
    listType: type === 'set' || type === 'map' ? type : 'atomic',
    keys: listOf(node['x-kubernetes-list-map-keys']).map(textOf),
  }
}

function objectSchema(node: Doc): Schema {
  const { properties, additionalProperties } = node
  const atomic = node['x-kubernetes-map-type'] === 'atomic'
  const preserveUnknown = node['x-kubernetes-preserve-unknown-fields'] === true
  if (!isDoc(properties) && additionalProperties) {
    return { kind: 'map', value: isDoc(additionalProperties) ? nodeSchema(additionalProperties) : ANY, atomic }
  }
  const embedded = node['x-kubernetes-embedded-resource'] === true
  if (!isDoc(properties) && preserveUnknown && !embedded) return atomic ? { kind: 'map', value: ANY, atomic } : ANY
  let fields: ReadonlyMap<string, Schema> | undefined
  return {
    kind: 'struct',
    name: '',
    atomic,
    preserveUnknown,
    embedded,
    fields: () => {
      fields ??= new Map(Object.entries(docOf(properties)).map(([name, part]) => [name, nodeSchema(docOf(part))]))
      return fields
    },
  }
}

function nodeSchema(node: Doc): Schema {
  if (node['x-kubernetes-int-or-string'] === true) return { kind: 'scalar', type: 'int-or-string' }
  const type = textOf(node.type)
  const scalar = SCALARS[type]
  if (scalar) return { kind: 'scalar', type: scalar }
  if (type === 'array') return listSchema(node)
  return type === 'object' || isDoc(node.properties) ? objectSchema(node) : ANY
}

/** A CRD's schema as the rest of the API reads schemas; metadata is that of every object. */
export function structuralSchema(root: Doc | undefined): StructSchema {
  const inner = root ? objectSchema({ ...root, type: 'object', properties: docOf(root.properties) }) : undefined
  const base: StructSchema =
    inner?.kind === 'struct' ? inner : { kind: 'struct', name: '', fields: () => new Map(), preserveUnknown: true }
  let fields: ReadonlyMap<string, Schema> | undefined
  return {
    ...base,
    atomic: false,
    embedded: true,
    fields: () => {
      const text: Schema = { kind: 'scalar', type: 'string' }
      fields ??= new Map<string, Schema>([
        ...base.fields(),
        ['apiVersion', text],
        ['kind', text],
        ['metadata', modelSchema('V1ObjectMeta')],
      ])
      return fields
    },
  }
}
