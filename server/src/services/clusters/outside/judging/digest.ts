import { createHash } from 'node:crypto'

/**
 * Tells whether two contents are the same, whatever the order of their fields. Line ends behind a text are no part of it:
 * Helm cuts those at the end of a document off when it hands it over, and prints it with them.
 */
export function digestOf(content: unknown): string {
  return createHash('sha256').update(canonical(content)).digest('hex')
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, node: unknown) => {
      if (typeof node === 'string') return node.replace(/\n+$/, '')
      if (typeof node !== 'object' || node === null || Array.isArray(node)) return node
      return Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)))
    }) ?? 'null'
  )
}
