/** Fields with free text from the cluster, which may repeat values that objects were given. */
const said = new Set(['message', 'detail'])

/** The same with these words hidden where a secret is in them. */
export function hideInTexts<T>(node: T, hide: (text: string) => string): T {
  if (Array.isArray(node)) return node.map((child) => hideInTexts(child, hide)) as T
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    typeof value === 'string' && said.has(key) ? hide(value) : hideInTexts(value, hide),
  ])
  return Object.fromEntries(entries) as T
}
