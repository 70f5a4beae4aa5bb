/** True when any value inside holds the text, whatever the case. An empty text matches everything. */
export function matchesAny(thing: unknown, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return true
  if (thing === null || thing === undefined) return false
  if (typeof thing === 'object') return Object.values(thing).some((value) => matchesAny(value, wanted))
  return String(thing).toLowerCase().includes(wanted)
}
