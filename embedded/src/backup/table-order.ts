/** A table, and the other ones that its rows refer to. */
interface Referring {
  name: string
  refersTo: readonly string[]
}

/** Puts tables in an order in which each comes after those that its rows refer to. */
export function inOrder<T extends Referring>(tables: readonly T[]): T[] {
  const ordered: T[] = []
  const left = new Map(tables.map((table) => [table.name, table]))
  while (left.size > 0) {
    const free = [...left.values()].filter(({ refersTo }) => !refersTo.some((name) => left.has(name)))
    if (free.length === 0)
      throw new Error(`these tables refer to each other in a circle: ${[...left.keys()].join(', ')}`)
    ordered.push(...free)
    for (const { name } of free) left.delete(name)
  }
  return ordered
}
