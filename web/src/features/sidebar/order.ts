/** The list with one of its members at another place; the same list when it is there already. */
export function movedTo(ids: readonly string[], id: string, place: number): readonly string[] {
  const from = ids.indexOf(id)
  const to = Math.max(0, Math.min(place, ids.length - 1))
  if (from < 0 || from === to) return ids
  const rest = ids.filter((other) => other !== id)
  return [...rest.slice(0, to), id, ...rest.slice(to)]
}
