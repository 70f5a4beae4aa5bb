import type { KubeObject } from '../kubernetes.ts'

/** Tells whether an object says what is wanted; a cluster adds fields of its own, it must not lack any, nor say others. */
export function isSame(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(found) && found.length === wanted.length && wanted.every((one, at) => isSame(found[at], one))
  if (typeof wanted === 'object' && wanted !== null) {
    const known = (typeof found === 'object' && found !== null ? found : {}) as Record<string, unknown>
    return Object.entries(wanted).every(([key, value]) => isSame(known[key], value))
  }
  return found === wanted
}

/** Tells whether a role binding gives what is wanted and stays: one that is being deleted may be gone at any moment. */
export function isInForce(found: KubeObject, wanted: KubeObject): boolean {
  const isStaying = found.metadata.deletionTimestamp === undefined
  return isStaying && isSame(found.roleRef, wanted.roleRef) && isSame(found.subjects, wanted.subjects)
}
