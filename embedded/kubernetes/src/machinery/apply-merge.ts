import { itemOf, type ListSchema, memberOf, type Schema } from '../resources/schema.ts'
import { type Doc, isDoc } from '../store/doc.ts'
import { elementsOf, type FieldSet } from './field-set.ts'
import { elementOf, shapeOf } from './field-walk.ts'

/** Two items of a list that merges by key bear the same key. */
export class DuplicateItem extends Error {}

function shownKey(element: string): string {
  const keys = JSON.parse(element.slice(2)) as Doc
  if (!isDoc(keys)) return JSON.stringify(keys)
  return `[${Object.entries(keys)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(',')}]`
}

/** Refuses lists that name one key twice, at any depth. */
export function refuseDuplicates(schema: Schema | undefined, value: unknown, path = ''): void {
  const shape = shapeOf(schema, value)
  if (shape === 'members' && isDoc(value)) {
    for (const [key, part] of Object.entries(value)) refuseDuplicates(memberOf(schema, key), part, `${path}.${key}`)
  }
  if (shape !== 'items' || schema?.kind !== 'list' || !Array.isArray(value)) return
  const seen = new Set<string>()
  for (const item of value) {
    const element = elementOf(schema, item)
    if (seen.has(element)) {
      throw new DuplicateItem(`${path}: duplicate entries for key ${shownKey(element)}`)
    }
    seen.add(element)
    refuseDuplicates(schema.item, item, `${path}${shownKey(element)}`)
  }
}

function mergeItems(schema: ListSchema, live: unknown[], config: unknown[]): unknown[] {
  const wanted = new Map(config.map((item) => [elementOf(schema, item), item]))
  const present = new Map(live.map((item) => [elementOf(schema, item), item]))
  const shared = [...wanted.keys()].filter((element) => present.has(element))
  const foreign = [...present.keys()]
  const result: unknown[] = []
  // Foreign items keep their places up to the next one that is applied as well; the others come as they are applied.
  const placeForeign = () => {
    for (let next = foreign[0]; next !== undefined && next !== shared[0]; next = foreign[0]) {
      foreign.shift()
      if (!wanted.has(next)) result.push(present.get(next))
    }
  }
  for (const [element, item] of wanted) {
    placeForeign()
    if (element === shared[0]) shared.shift()
    if (element === foreign[0]) foreign.shift()
    result.push(present.has(element) ? merged(itemOf(schema), present.get(element), item) : item)
  }
  placeForeign()
  return result
}

/** Merges the applied value into the live one. */
export function merged(schema: Schema | undefined, live: unknown, config: unknown): unknown {
  const shape = shapeOf(schema, config)
  if (live === undefined || shape === 'whole' || shape !== shapeOf(schema, live)) return config
  if (schema?.kind === 'list' && Array.isArray(live) && Array.isArray(config)) return mergeItems(schema, live, config)
  if (!isDoc(live) || !isDoc(config)) return config
  const result: Doc = { ...live }
  for (const [key, part] of Object.entries(config)) result[key] = merged(memberOf(schema, key), live[key], part)
  return result
}

/**
 * Takes away what the manager applied last time and nobody claims now: `last` and `keep` are sets of fields.
 * A part that nobody keeps anything of goes as a whole, with what was filled in by default.
 */
export function pruned(schema: Schema | undefined, value: unknown, last: FieldSet, keep: FieldSet): unknown {
  if (schema?.kind === 'list' && Array.isArray(value)) {
    return value.flatMap((item) => {
      const element = elementOf(schema, item)
      const was = last[element]
      const stays = keep[element]
      if (!was) return [item]
      return stays ? [pruned(schema.item, item, was, stays)] : []
    })
  }
  if (!isDoc(value)) return value
  const result: Doc = { ...value }
  for (const element of elementsOf(last)) {
    const key = element.slice(2)
    const was = last[element]
    const stays = keep[element]
    if (!was || result[key] === undefined) continue
    if (!stays) delete result[key]
    else result[key] = pruned(memberOf(schema, key), result[key], was, stays)
  }
  return result
}
