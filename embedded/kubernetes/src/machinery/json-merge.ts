import { type Doc, isDoc } from '../store/doc.ts'

/** A JSON merge patch (RFC 7386): null removes, objects merge, everything else replaces. */
export function mergePatch(current: unknown, patch: unknown): unknown {
  if (!isDoc(patch)) return patch
  const result: Doc = isDoc(current) ? { ...current } : {}
  for (const [key, part] of Object.entries(patch)) {
    if (part === null) delete result[key]
    else result[key] = mergePatch(result[key], part)
  }
  return result
}
