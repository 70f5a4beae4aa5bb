/** Remembers which methods each address answers, to tell a wrong method from a wrong address. */
export function createMethods() {
  const byPattern = new Map<string, Set<string>>()
  return {
    add(url: string, methods: string[]): void {
      const known = byPattern.get(url) ?? new Set()
      for (const method of methods) known.add(method)
      byPattern.set(url, known)
    },
    /** The methods of this path, sorted; none when there is nothing at all. */
    of(path: string): string[] {
      const found = [...byPattern].filter(([pattern]) => fits(pattern.split('/'), path.split('/')))
      return [...new Set(found.flatMap(([, methods]) => [...methods]))].sort()
    },
  }
}

function fits(pattern: string[], path: string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, index) => part === path[index] || (part.startsWith(':') && path[index] !== ''))
  )
}
