import type { ResourceType } from '../resources/resource-type.ts'
import { type Doc, docOf } from '../store/doc.ts'

const META = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** The definition of a custom kind: its CRD's schema with what every object has. */
export function customDefinition({ custom }: ResourceType): Doc {
  const schema = docOf(custom?.jsonSchema)
  if (!custom?.jsonSchema) return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  return {
    ...schema,
    type: 'object',
    properties: {
      ...docOf(schema.properties),
      apiVersion: { type: 'string', description: 'The version of the schema that this object is written in.' },
      kind: { type: 'string', description: 'What this object is.' },
      metadata: { allOf: [{ $ref: META }], description: 'Name, labels and the like.' },
    },
  }
}
