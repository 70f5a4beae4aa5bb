import { isRecord } from '../yaml/scalar-text.ts'

/**
 * Caches a result that is computed from a schema: schemas that refer to themselves are asked for the same place
 * thousands of times while a form is made. The results must not be mutated.
 */
export function remembered<T>(make: (schema: unknown, root: unknown) => T): (schema: unknown, root: unknown) => T {
  const byRoot = new WeakMap<object, WeakMap<object, { made: T }>>()
  return (schema, root) => {
    if (!isRecord(schema) || !isRecord(root)) return make(schema, root)
    const bySchema = byRoot.get(root) ?? new WeakMap<object, { made: T }>()
    byRoot.set(root, bySchema)
    const known = bySchema.get(schema) ?? { made: make(schema, root) }
    bySchema.set(schema, known)
    return known.made
  }
}
