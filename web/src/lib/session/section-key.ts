/** The client configuration that everything falls back to. */
export const mainKey = 'main'

/** The sign-in client's key for a path below the base: its first segment, or 'catalog-{second}'. */
export function sectionKey(path: string, known: ReadonlySet<string>): string {
  const [first = '', second] = path.split(/[?#]/)[0]?.split('/').filter(Boolean) ?? []
  const key = first === 'catalog' && second !== undefined ? `catalog-${second}` : first
  return known.has(key) ? key : mainKey
}
