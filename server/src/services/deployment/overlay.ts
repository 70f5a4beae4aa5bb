import { isRecord, type Values } from './values.ts'

/** What somebody changed against the defaults that they started from: the same tree with only the differing leaves. */
export function changesAgainst(values: Values, defaults: unknown): Values {
  const known = isRecord(defaults) ? defaults : {}
  const changed: Values = {}
  for (const [key, value] of Object.entries(values)) {
    const before = Object.hasOwn(known, key) ? known[key] : undefined
    if (isRecord(value) && isRecord(before)) {
      const inner = changesAgainst(value, before)
      if (Object.keys(inner).length > 0) changed[key] = inner
    } else if (JSON.stringify(value) !== JSON.stringify(before)) changed[key] = value
  }
  return changed
}
