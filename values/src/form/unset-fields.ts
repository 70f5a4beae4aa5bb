import { type Shape, shapeOf } from '../schema/schema-shape.ts'
import { directivesOf } from './directives.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import { baseField, type ListField, markRequired, optionsFor, scalarType } from './field-types.ts'

/** How many more fields are made; what comes later is shown as YAML. */
export interface Budget {
  schema: unknown
  left: number
}

/** Takes the cost of a shape from the budget: shapes that are expensive to resolve leave room for fewer fields. */
export function pay(budget: Budget, { cost }: Shape): void {
  budget.left -= Math.floor(cost / 20)
}

const mostPerMap = 200
const deepest = 5

/**
 * Tells whether what a schema requires is asked for. A map that is not there, and need not be, asks for nothing in it;
 * what the next entry of a list looks like tells all of it.
 */
type Asking = 'here' | 'not yet' | 'of the next entry'

/** Fields that the schema knows and the document does not set. */
export function unsetFields(
  budget: Budget,
  present: readonly string[],
  shape: Shape | undefined,
  depth = 0,
  asking: Asking = 'here',
): FieldConfiguration[] {
  if (!shape || depth > deepest) return []
  const known = new Set(present)
  const missing = Object.entries(shape.properties).filter(([name]) => !known.has(name) && !shape.isForbidden(name))
  return missing.slice(0, mostPerMap).flatMap(([name, schema]) => {
    const isRequired = shape.required.includes(name)
    const field = unsetField(budget, name, schema, depth, asking === 'here' && !isRequired ? 'not yet' : asking)
    if (field && isRequired && asking !== 'not yet') markRequired(field)
    return field ? [field] : []
  })
}

function unsetField(
  budget: Budget,
  name: string | null,
  schema: unknown,
  depth: number,
  asking: Asking,
): FieldConfiguration | undefined {
  budget.left -= 1
  const shape = budget.left > 0 ? shapeOf(schema, budget.schema) : undefined
  if (!shape) return undefined
  pay(budget, shape)
  const base = baseField(name, shape, shape.description ? [shape.description] : [])
  const type = scalarType(undefined, name, shape, directivesOf([]))
  if (type !== 'yaml') {
    const options = optionsFor(type, undefined, shape, directivesOf([]))
    return { ...base, type, value: undefined, ...(options ? { options } : {}) }
  }
  if (shape.type === 'array') {
    const template = templateOf(budget, shape.items, depth + 1)
    if (!template) return { ...base, type: 'yaml', value: undefined }
    const list: ListField = { ...base, type: 'array', objects: [template], isUnset: true }
    return list
  }
  const map = mapOf(budget, shape, depth)
  const objects = unsetFields(budget, [], shape, depth + 1, asking)
  if (objects.length > 0 || map) return { ...base, type: 'object', objects, ...(map ? { map } : {}) }
  // A schema of anything is no field of its own: it would be one more empty box.
  return shape.type === undefined && name !== null ? undefined : { ...base, type: 'yaml', value: undefined }
}

/** Field for the next entry of a list. */
export function templateOf(budget: Budget, items: unknown, depth = 0): FieldConfiguration | undefined {
  if (items === undefined || depth > deepest) return undefined
  const field = unsetField(budget, null, items, depth, 'of the next entry')
  return field && field.type !== 'yaml' ? field : undefined
}

/** The `map` of a field whose value takes entries under names of one's own, with a template for the next one. */
export function mapOf(budget: Budget, shape: Shape | undefined, depth = 0): FieldConfiguration['map'] {
  if (!shape?.entries || depth > deepest) return undefined
  const { schema, pattern } = shape.entries
  const template = unsetField(budget, null, schema, depth + 1, 'of the next entry') ?? textField
  return { template, known: Object.keys(shape.properties), ...(pattern === undefined ? {} : { pattern }) }
}

const textField: FieldConfiguration = {
  label: null,
  name: null,
  type: 'string',
  objects: [],
  collections: [],
  comments: [],
}

/** A map of texts, as labels and annotations are. */
export const mapOfTexts: FieldConfiguration['map'] = { template: textField, known: [] }
