/** Comments of a YAML text by where they stand: above a line or beside a value. Never looks into the YAML itself. */
export interface Comments {
  /** Lines directly above the one that holds `offset`, indented as it is. */
  above(offset: number): string[]
  /** Comment behind a value on its last line. */
  beside(offset: number): string[]
  /** A description that another line gives by path: `@param some.path text`. */
  ofPath(path: readonly (string | number)[]): string[]
}

const named = /^@(?:param|extra)\s+(\S+)\s*((?:\[[^\]]*\]\s*)*)(.*)$/
const noise = /^@(?:param|extra|section|skip|raw|descriptionStart|descriptionEnd|default|ignored|notationType|schema)\b/
const maxLines = 40

export function commentsOf(text: string): Comments {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const lineAt = (index: number) => text.slice(starts[index], (starts[index + 1] ?? text.length + 1) - 1)
  const byPath = namedDescriptions(text)

  return {
    above(offset) {
      const index = lineIndex(starts, offset)
      const indent = /^\s*/.exec(lineAt(index))?.[0].length ?? 0
      const found: string[] = []
      for (let at = index - 1; at >= 0 && found.length < maxLines; at -= 1) {
        const line = /^(\s*)#(.*)$/.exec(lineAt(at).trimEnd())
        if (!line || (line[1]?.length ?? 0) !== indent) break
        found.unshift(line[2] ?? '')
      }
      return cleaned(found)
    },
    beside(offset) {
      const end = text.indexOf('\n', offset)
      const rest = text.slice(offset, Math.min(end < 0 ? text.length : end, offset + 1000))
      const comment = /^[ \t]*[|>]?[-+0-9]*[ \t]+#(.*)$/.exec(rest.trimEnd())?.[1]
      return comment === undefined ? [] : cleaned([comment])
    },
    ofPath: (path) => byPath.get(path.join('.')) ?? [],
  }
}

/** The index of the line that holds an offset, by halving. */
function lineIndex(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

function namedDescriptions(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  if (!text.includes('@param') && !text.includes('@extra')) return found
  for (const line of text.split('\n')) {
    const [, path, , description] = named.exec(line.replace(/^\s*#+\s*/, '').trimEnd()) ?? []
    if (path && description) found.set(path, [withSigns(description)])
  }
  return found
}

/** Takes off what comment conventions put around the words: more #, `--`, rulers and tags of documentation tools. */
function cleaned(lines: readonly string[]): string[] {
  return lines
    .map((line) => withSigns(line.replace(/^#*\s*(?:--\s+)?/, '').trimEnd()))
    .filter((line) => line !== '' && !noise.test(line) && !/^[-=#*~_.\s]+$/.test(line))
}

const signs: Readonly<Record<string, string>> = {
  '&reg;': '®',
  '&trade;': '™',
  '&copy;': '©',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
}

/** Comments that also become pages of documentation write some signs as HTML does. */
function withSigns(text: string): string {
  return text.replace(/&(?:reg|trade|copy|lt|gt|quot|amp);/g, (sign) => signs[sign] ?? sign)
}
