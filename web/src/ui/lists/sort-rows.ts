/** A sort as the address keeps it: a column's key, with '-' in front for the other way round. */
export interface Sort {
  key: string
  down: boolean
}

export function parseSort(text: string | undefined): Sort | undefined {
  if (text === undefined || text === '' || text === '-') return undefined
  return text.startsWith('-') ? { key: text.slice(1), down: true } : { key: text, down: false }
}

/** The next sort after a click on a column: up, down, then as it came. */
export function nextSort(current: string | undefined, key: string): string | undefined {
  if (current === key) return `-${key}`
  return current === `-${key}` ? undefined : key
}

type Value = string | number | null | undefined
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** A sorted copy; missing values come last either way. */
export function sortRows<T>(rows: readonly T[], by: (row: T) => Value, down: boolean): T[] {
  return [...rows].sort((one, two) => {
    const [a, b] = [by(one), by(two)]
    if (a == null || b == null) return Number(a == null) - Number(b == null)
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
    return down ? -order : order
  })
}
