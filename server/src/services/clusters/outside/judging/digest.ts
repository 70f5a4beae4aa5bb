import { createHash } from 'node:crypto'

/** Tells whether two contents are the same, whatever the order of their fields. */
export function digestOf(content: unknown): string {
  return createHash('sha256').update(canonical(content)).digest('hex')
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, node: unknown) =>
      typeof node === 'object' && node !== null && !Array.isArray(node)
        ? Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)))
        : node,
    ) ?? 'null'
  )
}
