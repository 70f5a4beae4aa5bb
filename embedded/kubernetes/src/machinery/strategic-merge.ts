import { badRequest, KubeError } from '../api-error.ts'
import { type ListSchema, memberOf, type Schema } from '../resources/schema.ts'
import { type Doc, deepEqual, isDoc, listOf } from '../store/doc.ts'

const ORDER = '$setElementOrder/'
const DELETE_FROM = '$deleteFromPrimitiveList/'
const RETAIN = '$retainKeys'
const PATCH = '$patch'

const isDirective = (key: string) =>
  key === PATCH || key === RETAIN || key.startsWith(ORDER) || key.startsWith(DELETE_FROM)

const withoutDirectives = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value
      .filter((item) => !isDoc(item) || item[PATCH] === undefined || item[PATCH] === 'merge')
      .map(withoutDirectives)
  }
  if (!isDoc(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) =>
      isDirective(key) || part === null ? [] : [[key, withoutDirectives(part)]],
    ),
  )
}

/** Puts items in the order the patch asks for; those it does not name keep their place after the one before them. */
function ordered<T>(items: readonly T[], keyOf: (item: T) => unknown, order: readonly unknown[]): T[] {
  const rank = (item: T) => order.findIndex((key) => deepEqual(key, keyOf(item)))
  const named = items.filter((item) => rank(item) >= 0).sort((a, b) => rank(a) - rank(b))
  const result: T[] = [...named]
  items.forEach((item, index) => {
    if (rank(item) >= 0) return
    const before = items[index - 1]
    const place = before === undefined ? 0 : result.indexOf(before) + 1
    result.splice(place, 0, item)
  })
  return result
}

function patchKeyedList(
  schema: ListSchema,
  key: string,
  current: readonly unknown[],
  patch: readonly unknown[],
): unknown[] {
  if (patch.some((item) => isDoc(item) && item[PATCH] === 'replace')) return listOf(withoutDirectives(patch))
  let result = [...current]
  for (const item of patch) {
    if (!isDoc(item)) throw badRequest('expected a list of objects to merge by key')
    const id = item[key]
    if (id === undefined) throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`)
    const at = result.findIndex((other) => isDoc(other) && deepEqual(other[key], id))
    if (item[PATCH] === 'delete') result = result.filter((other) => !isDoc(other) || !deepEqual(other[key], id))
    else if (at < 0) result.push(withoutDirectives(item))
    else result[at] = patchValue(schema.item, result[at], item, schema.retainKeys ?? false)
  }
  return result
}

function patchList(schema: ListSchema, current: unknown, patch: readonly unknown[]): unknown {
  const now = listOf(current)
  if (schema.mergeKey) return patchKeyedList(schema, schema.mergeKey, now, patch)
  if (!schema.unite) return withoutDirectives(patch)
  return [...now, ...patch.filter((item) => !now.some((other) => deepEqual(other, item)))]
}

function patchMember(schema: Schema | undefined, current: unknown, part: unknown): unknown {
  if (Array.isArray(part)) return schema?.kind === 'list' ? patchList(schema, current, part) : part
  if (!isDoc(part)) return part
  return patchValue(schema, current, part, schema?.kind === 'struct' && (schema.retainKeys ?? false))
}

function applyDirectives(schema: Schema | undefined, result: Doc, patch: Doc): void {
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(DELETE_FROM)) {
      const field = key.slice(DELETE_FROM.length)
      const gone = listOf(value)
      result[field] = listOf(result[field]).filter((item) => !gone.some((other) => deepEqual(other, item)))
    } else if (key.startsWith(ORDER)) {
      const field = key.slice(ORDER.length)
      const list = memberOf(schema, field)
      const mergeKey = list?.kind === 'list' ? list.mergeKey : undefined
      const keyOf = (item: unknown) => (mergeKey && isDoc(item) ? item[mergeKey] : item)
      if (Array.isArray(result[field])) result[field] = ordered(result[field], keyOf, listOf(value).map(keyOf))
    }
  }
}

function patchValue(schema: Schema | undefined, current: unknown, patch: Doc, retainKeys: boolean): unknown {
  if (patch[PATCH] === 'replace') return withoutDirectives(patch)
  if (patch[PATCH] === 'delete') return undefined
  if (patch[PATCH] !== undefined && patch[PATCH] !== 'merge') {
    throw new KubeError(500, '', `unknown patch type: ${patch[PATCH]} in map: map[$patch:${patch[PATCH]}]`)
  }
  const result: Doc = isDoc(current) ? { ...current } : {}
  const retained = patch[RETAIN]
  if (retainKeys && Array.isArray(retained)) {
    for (const key of Object.keys(result)) if (!retained.includes(key)) delete result[key]
  }
  for (const [key, part] of Object.entries(patch)) {
    if (isDirective(key)) continue
    const next = part === null ? undefined : patchMember(memberOf(schema, key), result[key], part)
    if (next === undefined) delete result[key]
    else result[key] = next
  }
  applyDirectives(schema, result, patch)
  return result
}

/** A strategic merge patch: lists merge by the keys their schema names, `$patch` and its kin give the exceptions. */
export function strategicMerge(schema: Schema, current: Doc, patch: Doc): Doc {
  const result = patchValue(schema, current, patch, false)
  return isDoc(result) ? result : {}
}
