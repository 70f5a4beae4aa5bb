import { BUILT_IN } from '../resources/built-in.ts'
import { goTypeOf } from '../resources/merge-keys.ts'
import type { Schema, StructSchema } from '../resources/schema.ts'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const META_TYPES = new Set(
  `ObjectMeta ListMeta LabelSelector LabelSelectorRequirement OwnerReference ManagedFieldsEntry Condition Status
   StatusDetails StatusCause DeleteOptions Preconditions FieldSelectorRequirement`.split(/\s+/),
)
const PACKAGES: Record<string, string> = {
  '': 'io.k8s.api.core',
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  'apiregistration.k8s.io': 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
}

/** The Go package of a group, as definition names have it. */
const packageOf = (group: string, version: string): string =>
  `${PACKAGES[group] ?? `io.k8s.api.${group.split('.')[0]}`}.${version}`

/** The structs a schema is made of, not counting itself. */
export function* partsOf(schema: Schema): Generator<StructSchema> {
  if (schema.kind === 'list') yield* structsIn(schema.item)
  else if (schema.kind === 'map') yield* structsIn(schema.value)
  else if (schema.kind === 'struct') for (const field of schema.fields().values()) yield* structsIn(field)
}

function* structsIn(schema: Schema): Generator<StructSchema> {
  if (schema.kind === 'struct') yield schema
  else yield* partsOf(schema)
}

let names: Map<string, string> | undefined

function nameAll(): Map<string, string> {
  const made = new Map<string, string>()
  for (const { group, version, schema } of BUILT_IN) {
    const at = packageOf(group, version)
    const waiting: StructSchema[] = schema.kind === 'struct' ? [schema] : []
    for (let struct = waiting.pop(); struct; struct = waiting.pop()) {
      if (made.has(struct.name)) continue
      const type = goTypeOf(struct.name)
      made.set(struct.name, META_TYPES.has(type) ? `${META}.${type}` : `${at}.${type}`)
      waiting.push(...partsOf(struct))
    }
  }
  return made
}

/** Name of a model class in the OpenAPI documents, such as `io.k8s.api.apps.v1.Deployment`. */
export function definitionName(className: string): string {
  names ??= nameAll()
  return names.get(className) ?? `${META}.${goTypeOf(className)}`
}
