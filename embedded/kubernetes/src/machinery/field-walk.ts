import { itemOf, type ListSchema, memberOf, type Schema } from '../resources/schema.ts'
import { type Doc, deepEqual, isDoc } from '../store/doc.ts'
import { type FieldSet, node, union } from './field-set.ts'

/** How a value is taken apart: member by member, item by item, or not at all. */
type Shape = 'members' | 'items' | 'whole'

export function shapeOf(schema: Schema | undefined, value: unknown): Shape {
  if (isDoc(value)) {
    const atomic = (schema?.kind === 'struct' || schema?.kind === 'map') && schema.atomic
    return atomic || schema?.kind === 'scalar' ? 'whole' : 'members'
  }
  return Array.isArray(value) && schema?.kind === 'list' && schema.listType !== 'atomic' ? 'items' : 'whole'
}

/** Ports that do not say so speak TCP; the key of a list item counts it in. */
const KEY_DEFAULTS: Doc = { protocol: 'TCP' }

/** The path element of a list item: its keys, or the item itself in a set. */
export function elementOf(schema: ListSchema, item: unknown): string {
  if (schema.listType === 'set' || !isDoc(item)) return `v:${JSON.stringify(item)}`
  const keys: Doc = {}
  for (const key of schema.keys.toSorted()) {
    const value = item[key] ?? KEY_DEFAULTS[key]
    if (value !== undefined) keys[key] = value
  }
  return `k:${JSON.stringify(keys)}`
}

const isEmptyMap = (value: unknown) => value === null || (isDoc(value) && Object.keys(value).length === 0)

/** The fields that applying `value` claims. */
export function claimedFields(schema: Schema | undefined, value: unknown): FieldSet | undefined {
  const shape = shapeOf(schema, value)
  if (shape === 'items' && schema?.kind === 'list' && Array.isArray(value)) {
    return node(
      false,
      value.map((item) => [
        elementOf(schema, item),
        schema.listType === 'set' ? {} : union({}, claimedFields(schema.item, item)),
      ]),
    )
  }
  if (shape === 'whole' || !isDoc(value)) return {}
  const named = schema?.kind === 'struct'
  return node(
    false,
    Object.entries(value).map(([key, part]) => {
      const inner = claimedFields(memberOf(schema, key), part)
      return [`f:${key}`, !named || isEmptyMap(part) ? union({}, inner) : inner] as const
    }),
  )
}

/** Every field of `value`, the maps, lists and items that hold them among these: what its coming or going changes. */
function allFields(schema: Schema | undefined, value: unknown): FieldSet {
  const shape = shapeOf(schema, value)
  if (shape === 'items' && schema?.kind === 'list' && Array.isArray(value)) {
    const items = value.map((item) => {
      const inner = schema.listType === 'set' ? {} : union({}, allFields(schema.item, item))
      return [elementOf(schema, item), inner] as const
    })
    return node(true, items) ?? {}
  }
  if (shape === 'whole' || !isDoc(value)) return {}
  const entries = Object.entries(value).map(
    ([key, part]) => [`f:${key}`, allFields(memberOf(schema, key), part)] as const,
  )
  return node(schema?.kind !== 'struct', entries) ?? {}
}

interface FieldChanges {
  /** Added or given another value. */
  changed: FieldSet | undefined
  removed: FieldSet | undefined
}

type Step = readonly [element: string, schema: Schema | undefined, old: unknown, next: unknown]

function stepsInto(schema: Schema | undefined, old: unknown, next: unknown): Step[] {
  if (isDoc(old) && isDoc(next)) {
    const keys = new Set([...Object.keys(old), ...Object.keys(next)])
    return [...keys].map((key) => [`f:${key}`, memberOf(schema, key), old[key], next[key]] as const)
  }
  if (schema?.kind !== 'list' || !Array.isArray(old) || !Array.isArray(next)) return []
  const before = new Map(old.map((item) => [elementOf(schema, item), item]))
  const after = new Map(next.map((item) => [elementOf(schema, item), item]))
  const elements = new Set([...before.keys(), ...after.keys()])
  return [...elements].map((element) => [element, itemOf(schema), before.get(element), after.get(element)] as const)
}

/** Fields that differ between two versions of an object. */
export function fieldChanges(schema: Schema | undefined, old: unknown, next: unknown): FieldChanges {
  if (old === next) return { changed: undefined, removed: undefined }
  if (old === undefined) return { changed: allFields(schema, next), removed: undefined }
  if (next === undefined) return { changed: undefined, removed: allFields(schema, old) }
  const shape = shapeOf(schema, old)
  if (shape === 'whole' || shape !== shapeOf(schema, next)) {
    return { changed: deepEqual(old, next) ? undefined : {}, removed: undefined }
  }
  const parts = stepsInto(schema, old, next).map(
    ([element, inner, before, after]) => [element, fieldChanges(inner, before, after)] as const,
  )
  return {
    changed: node(
      false,
      parts.map(([element, { changed }]) => [element, changed] as const),
    ),
    removed: node(
      false,
      parts.map(([element, { removed }]) => [element, removed] as const),
    ),
  }
}
