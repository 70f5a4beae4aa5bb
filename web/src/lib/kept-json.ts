/** This browser's memory, or that of one tab. Reading the property throws where storage is forbidden. */
type Memory = 'localStorage' | 'sessionStorage'

/** A value that was kept under a key; undefined when there is none, or storage is forbidden. */
export function readKept<T>(
  key: string,
  isValid: (value: unknown) => value is T,
  memory: Memory = 'localStorage',
): T | undefined {
  try {
    const value: unknown = JSON.parse(globalThis[memory].getItem(key) ?? 'null')
    return isValid(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Keeps a value; undefined forgets it. Where storage is forbidden or full, it lasts as long as the page. */
export function keep(key: string, value: unknown, memory: Memory = 'localStorage'): void {
  try {
    if (value === undefined) globalThis[memory].removeItem(key)
    else globalThis[memory].setItem(key, JSON.stringify(value))
  } catch {
    // The page works without memory.
  }
}
