import { sameValue } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'

type Entries = ReadonlyMap<unknown, Record<string, unknown>>

/** The entries of a list by name; undefined where not each is a map with a name of its own. */
export function entriesByName(list: unknown): Entries | undefined {
  if (!Array.isArray(list)) return undefined
  const entries = new Map<unknown, Record<string, unknown>>()
  for (const entry of list) {
    const name = isRecord(entry) && Object.hasOwn(entry, 'name') ? entry.name : undefined
    if (!isRecord(entry) || (typeof name !== 'string' && typeof name !== 'number') || entries.has(name))
      return undefined
    entries.set(name, entry)
  }
  return entries
}

/**
 * Two lists that come from a third one as one, entry by entry and by their names. Undefined where that cannot be told
 * without asking: entries without names, the same place changed on both sides, or both put them in another order.
 */
export function mergedByName(before: unknown, yours: unknown, theirs: unknown): unknown[] | undefined {
  const [base, own, next] = [before, yours, theirs].map(entriesByName)
  if (!base || !own || !next) return undefined
  const order = orderOf([...base.keys()], [...own.keys()], [...next.keys()])
  if (!order) return undefined
  const merged: unknown[] = []
  for (const name of order) {
    const entry = merge(base.get(name), own.get(name), next.get(name))
    if (entry === undefined) return undefined
    if (entry.value !== undefined) merged.push(entry.value)
  }
  return merged
}

/**
 * Merges two sides of a value where only one of them changed each part of it; undefined where both changed the same
 * part.
 */
function merge(before: unknown, yours: unknown, theirs: unknown): { value: unknown } | undefined {
  if (sameValue(yours, theirs) || sameValue(before, theirs)) return { value: yours }
  if (sameValue(before, yours)) return { value: theirs }
  if (!isRecord(before) || !isRecord(yours) || !isRecord(theirs)) {
    const value = mergedByName(before, yours, theirs)
    return value && { value }
  }
  const parts: [string, unknown][] = []
  for (const key of new Set([...Object.keys(yours), ...Object.keys(theirs)])) {
    const part = merge(own(before, key), own(yours, key), own(theirs, key))
    if (!part) return undefined
    if (part.value !== undefined) parts.push([key, part.value])
  }
  return { value: Object.fromEntries(parts) }
}

function own(map: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

/** The order of the side that changed it, with what only the other side has behind what it follows there. */
function orderOf(base: unknown[], yours: unknown[], theirs: unknown[]): unknown[] | undefined {
  if (isInOrder(base, theirs)) return woven(yours, theirs)
  return isInOrder(base, yours) ? woven(theirs, yours) : undefined
}

function isInOrder(base: unknown[], side: unknown[]): boolean {
  return sameValue(
    base.filter((name) => side.includes(name)),
    side.filter((name) => base.includes(name)),
  )
}

function woven(first: unknown[], second: unknown[]): unknown[] {
  const order = [...first]
  let last = -1
  for (const name of second) {
    const at = order.indexOf(name)
    if (at < 0) order.splice(last + 1, 0, name)
    last = at < 0 ? last + 1 : at
  }
  return order
}

const mostPlaces = 20

/** Where in a list something is another one than before, in words: `bob.password`, and by number where there is no name. */
export function placesIn(before: unknown, list: unknown): string[] {
  if (!Array.isArray(list)) return []
  const old = Array.isArray(before) ? before : []
  const [oldByName, byName] = [entriesByName(old), entriesByName(list)]
  if (!oldByName || !byName || byName.size === 0) {
    const length = Math.max(old.length, list.length)
    return Array.from({ length }, (_, at) => differing(old[at], list[at], `#${at + 1}`))
      .flat()
      .slice(0, mostPlaces)
  }
  const names = [...new Set([...byName.keys(), ...oldByName.keys()])]
  const places = names.flatMap((name) => differing(oldByName.get(name), byName.get(name), String(name)))
  return (places.length > 0 || sameValue(old, list) ? places : ['the order']).slice(0, mostPlaces)
}

function differing(before: unknown, now: unknown, place: string): string[] {
  if (sameValue(before, now)) return []
  if (before === undefined) return [`${place} (added)`]
  if (now === undefined) return [`${place} (removed)`]
  if (Array.isArray(before) && Array.isArray(now)) return placesIn(before, now).map((inner) => `${place}.${inner}`)
  if (!isRecord(before) || !isRecord(now)) return [place]
  return [...new Set([...Object.keys(now), ...Object.keys(before)])].flatMap((key) =>
    differing(own(before, key), own(now, key), `${place}.${key}`),
  )
}
