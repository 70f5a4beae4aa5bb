import { isRecord } from './scalar-text.ts'
import type { Path } from './slot.ts'

export function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)]
    else value = isRecord(value) && Object.hasOwn(value, String(part)) ? value[String(part)] : undefined
  }
  return value
}

/** A copy with another value at a path; undefined takes it out. */
export function withValueAt(root: unknown, path: Path, value: unknown): unknown {
  const [part, ...rest] = path
  if (part === undefined) return value
  if (Array.isArray(root)) return withItem(root, Number(part), rest, value)
  if (root === null || root === undefined ? typeof part === 'number' : false)
    return [withValueAt(undefined, rest, value)]
  const copy: Record<string, unknown> = isRecord(root) ? { ...root } : {}
  const inner = withValueAt(Object.hasOwn(copy, String(part)) ? copy[String(part)] : undefined, rest, value)
  if (inner === undefined) delete copy[String(part)]
  else copy[String(part)] = inner
  return copy
}

function withItem(list: readonly unknown[], index: number, rest: Path, value: unknown): unknown[] {
  const copy = [...list]
  const inner = withValueAt(copy[index], rest, value)
  if (inner === undefined) copy.splice(index, 1)
  else copy[Math.min(index, copy.length)] = inner
  return copy
}

/** Equal as values of a document: the order of keys does not count, NaN equals itself. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
  )
}
