import { isRecord } from '../yaml/scalar-text.ts'
import type { Path } from '../yaml/slot.ts'

/**
 * Values that a chart gets, by Helm's rule: its own values with the given ones laid over, map by map. Null removes a
 * value of the chart; where the chart has none, the null stays.
 */
export function coalesce(defaults: unknown, given: unknown): unknown {
  if (!isRecord(given) || !isRecord(defaults)) return given === undefined ? defaults : given
  const merged: Record<string, unknown> = { ...defaults }
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, key)) merged[key] = value
    else if (value === null) delete merged[key]
    else merged[key] = coalesce(defaults[key], value)
  }
  return merged
}

/** The chart's own value at a place. Undefined below a list, because a list is given as a whole. */
export function defaultAt(defaults: unknown, path: Path): unknown {
  let value = defaults
  for (const part of path) {
    if (typeof part === 'number' || !isRecord(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return value
}

/** Values to give so that a chart with these defaults gets the wanted ones: surplus defaults are removed with null. */
export function givenFor(defaults: unknown, wanted: unknown): unknown {
  if (!isRecord(defaults) || !isRecord(wanted)) return wanted
  const kept = Object.entries(wanted).map(([key, value]) => [
    key,
    Object.hasOwn(defaults, key) ? givenFor(defaults[key], value) : value,
  ])
  const gone = Object.keys(defaults).filter((key) => !Object.hasOwn(wanted, key))
  return Object.fromEntries([...kept, ...gone.map((key) => [key, null])])
}
