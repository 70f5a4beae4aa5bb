/** Where a place in a YAML text is, read from its lines alone, so that it is known also while the text is broken. */
export interface YamlPlace {
  /** The names that lead to the entry of this line; a number for each list on the way. */
  path: (string | number)[]
  /** Tells whether the place is behind the colon of its line. */
  isValue: boolean
  /** The text typed there so far. */
  word: string
  /** Where that begins in its line. */
  from: number
}

const entry =
  /^(\s*)((?:- +)*)(?:(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#&*!|>'"%@`{[\]},][^#]*?))\s*:(?:\s+|$))?/

interface Line {
  indent: number
  dashes: number[]
  key: string | undefined
  /** The column of the key, behind any dashes. */
  column: number
  /** Where the value begins. */
  valueAt: number
}

function lineOf(text: string): Line | undefined {
  if (/^\s*(?:#|$)/.test(text)) return undefined
  const [whole = '', space = '', dashes = '', double, single, plain] = entry.exec(text) ?? []
  const indent = space.length
  const starts: number[] = []
  for (let at = 0; at < dashes.length; at += 1) if (dashes[at] === '-') starts.push(indent + at)
  if (dashes === '' && /^-\s*$/.test(text.trim())) starts.push(indent)
  const key = double ?? single?.replaceAll("''", "'") ?? plain
  return {
    indent,
    dashes: starts,
    key,
    column: indent + dashes.length,
    valueAt: key === undefined ? indent + dashes.length : whole.length,
  }
}

/** The place at a column of a line; `lineAt` gives the text of any line above, from 0. */
export function placeIn(lineAt: (index: number) => string, index: number, column: number): YamlPlace {
  const text = lineAt(index)
  const own = lineOf(text)
  const before = text.slice(0, column)
  const isValue = own?.key !== undefined && column >= own.valueAt
  const from = isValue ? own.valueAt : (/^\s*(?:- +)*/.exec(before)?.[0].length ?? 0)
  const above = pathAbove(lineAt, index, own?.dashes[0] ?? own?.column ?? from, own?.dashes ?? [])
  const path = own?.key !== undefined ? [...above, own.key] : above
  return { path, isValue, word: before.slice(from), from }
}

/** The names of the entries that an entry at a column belongs to. */
function pathAbove(
  lineAt: (index: number) => string,
  index: number,
  column: number,
  dashes: readonly number[],
): (string | number)[] {
  const path: (string | number)[] = dashes.map(() => 0)
  let limit = column
  let isItem = dashes.length > 0
  for (let at = index - 1; at >= 0 && (limit > 0 || isItem); at -= 1) {
    const line = lineOf(lineAt(at))
    if (!line) continue
    const dash = line.dashes.findLast((each) => each < limit)
    if (
      line.key !== undefined &&
      (line.column < limit || (isItem && line.column === limit && line.dashes.length === 0))
    ) {
      path.unshift(line.key)
      limit = line.column
      isItem = false
    }
    if (dash !== undefined && dash < limit && line.column <= limit) {
      path.unshift(...line.dashes.filter((each) => each < limit).map(() => 0))
      limit = line.dashes[0] ?? dash
      isItem = true
    }
  }
  return path
}
