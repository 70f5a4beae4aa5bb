/** A place in values as people read it: entries of lists are counted from one, as in `listeners.#3.name`. */
export function placeWords(path: readonly (string | number)[]): string {
  return path.map((part) => (typeof part === 'number' ? `#${part + 1}` : part)).join('.')
}

/**
 * The path with numbers where it leads into lists of these values; what reads it as texts cannot tell them from names.
 */
export function withNumbers(path: readonly string[], values: unknown): (string | number)[] {
  let node = values
  return path.map((part) => {
    const here = Array.isArray(node) ? Number(part) : part
    node = typeof node === 'object' && node !== null ? Reflect.get(node, part) : undefined
    return here
  })
}

/** Tells whether a message begins with the place that it is about. */
export function namesPlace(message: string, path: string): boolean {
  const [first = ''] = message.split(/:?\s/, 1)
  return first === path || first.replace(/#(\d+)/g, (_, count: string) => String(Number(count) - 1)) === path
}
