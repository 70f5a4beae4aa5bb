interface Level {
  path: string
  /** Names seen in an object; undefined inside a list. */
  seen: Set<string> | undefined
  index: number
  name: string
}

const at = ({ path, seen, index, name }: Level): string =>
  seen ? (path ? `${path}.${name}` : name) : `${path}[${index}]`

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** The paths of names that a JSON text gives twice in one object; a parser silently keeps the last. */
export function duplicateKeys(text: string): string[] {
  const found: string[] = []
  const levels: Level[] = []
  let isName = false
  for (const [token] of text.matchAll(TOKEN)) {
    const top = levels.at(-1)
    if (token === '{' || token === '[') {
      const path = top ? at(top) : ''
      levels.push({ path, seen: token === '{' ? new Set() : undefined, index: 0, name: '' })
      isName = token === '{'
    } else if (token === '}' || token === ']') {
      levels.pop()
      isName = false
    } else if (token === ',') {
      if (top) top.index += 1
      isName = top?.seen !== undefined
    } else if (token === ':') isName = false
    else if (isName && top?.seen) {
      top.name = JSON.parse(token) as string
      if (top.seen.has(top.name)) found.push(at(top))
      top.seen.add(top.name)
    }
  }
  return found
}
