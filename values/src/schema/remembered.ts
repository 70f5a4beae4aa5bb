import { isRecord } from '../yaml/scalar-text.ts'

/**
 * What is made of a schema, once for each place of it: a schema that holds itself is asked the same thousands of times
 * while a form is made. What was made must not be changed.
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
