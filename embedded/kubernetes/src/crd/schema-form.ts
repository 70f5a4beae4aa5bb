import type { V1CustomResourceDefinition } from '@kubernetes/client-node'
import { type FieldError, required } from '../field-error.ts'
import type { KubeObject } from '../object-store.ts'
import { type Doc, deepEqual, docOf, isDoc } from '../store/doc.ts'

const freeOfType = (node: Doc): boolean =>
  node['x-kubernetes-int-or-string'] === true || node['x-kubernetes-preserve-unknown-fields'] === true

function typeErrors(node: Doc, at: string, where: string): FieldError[] {
  const errors = node.type || freeOfType(node) ? [] : [required(`${at}.type`, `must not be empty ${where}`)]
  const fields = Object.entries(docOf(node.properties)).flatMap(([name, part]) =>
    typeErrors(docOf(part), `${at}.properties[${name}]`, 'for specified object fields'),
  )
  const items = isDoc(node.items) ? typeErrors(node.items, `${at}.items`, 'for specified array items') : []
  const others = isDoc(node.additionalProperties)
    ? typeErrors(node.additionalProperties, `${at}.additionalProperties`, 'for specified object fields')
    : []
  return [...errors, ...items, ...fields, ...others]
}

/** Errors that keep the schemas of a definition from being structural: parts that do not state their type. */
export function schemaFormErrors(draft: KubeObject): FieldError[] {
  const { versions = [] } = draft.spec as V1CustomResourceDefinition['spec']
  const schemas = versions.map(({ schema }) => schema?.openAPIV3Schema as Doc | undefined)
  const [first] = schemas
  if (first && schemas.every((schema) => deepEqual(schema, first))) {
    return typeErrors(first, 'spec.validation.openAPIV3Schema', 'at the root')
  }
  return schemas.flatMap((schema, index) =>
    schema ? typeErrors(schema, `spec.versions[${index}].schema.openAPIV3Schema`, 'at the root') : [],
  )
}
