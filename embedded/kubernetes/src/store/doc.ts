/** A JSON object of unknown shape. */
export type Doc = Record<string, unknown>

export const isDoc = (value: unknown): value is Doc =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as an object; an empty one when it is something else. For reading only. */
export const docOf = (value: unknown): Doc => (isDoc(value) ? value : {})

/** The value as a list; an empty one when it is something else. For reading only. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The value as text; empty when it is something else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Freezes a JSON value through and through; parts that are frozen already are taken as done. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}

/** Equality of JSON values; an absent member and one that is undefined are the same. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]))
  }
  if (!isDoc(a) || !isDoc(b)) return false
  for (const key of Object.keys(a)) if (!deepEqual(a[key], b[key])) return false
  for (const key of Object.keys(b)) if (b[key] !== undefined && a[key] === undefined) return false
  return true
}

/** A copy that may be changed, of an object that may be frozen. */
export function cloneDoc<T>(value: T): T {
  return structuredClone(value)
}
