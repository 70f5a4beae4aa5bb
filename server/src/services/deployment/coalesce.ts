import { isRecord } from '@quayside/contract/values/scalar-text'

/** What a chart gets: its own values with the given ones laid over; null takes a value away. */
export function coalesce(defaults: unknown, given: unknown): unknown {
  if (!isRecord(given) || !isRecord(defaults)) return given === undefined ? defaults : given
  const merged: Record<string, unknown> = { ...defaults }
  for (const [key, value] of Object.entries(given)) {
    if (value === null) delete merged[key]
    else merged[key] = Object.hasOwn(defaults, key) ? coalesce(defaults[key], value) : value
  }
  return merged
}
