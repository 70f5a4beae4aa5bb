/** A value that this browser has kept under a key; undefined when there is none, or storage is forbidden. */
export function readKept<T>(key: string, isValid: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isValid(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Keeps a value in this browser; where storage is forbidden, it lasts as long as the page. */
export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The page works without memory.
  }
}
