import { isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'
import { openYaml, resolved, type YamlDocument, YamlRefused } from './yaml-document.ts'

/** An entry that counts for nothing, because its key comes again in the same map. */
export interface RepeatedKey {
  path: string
  /** Where it stands, from 1. */
  line: number
  message: string
}

const mostTold = 50
const longestPath = 200

/** Entries whose key comes again: the last one counts, as for Helm, and people should know. None in what is no YAML. */
export function repeatedKeys(text: string): RepeatedKey[] {
  try {
    const document = openYaml(text)
    return inDocument(document, lineFinder(text))
  } catch (error) {
    if (error instanceof YamlRefused) return []
    throw error
  }
}

function inDocument(document: YamlDocument, lineAt: (offset: number) => number): RepeatedKey[] {
  const found: RepeatedKey[] = []
  const walk = (node: unknown, path: readonly string[]): void => {
    if (isSeq(node)) for (const [at, item] of node.items.entries()) walk(item, [...path, String(at)])
    if (!isMap(node)) return
    const last = new Map<string, Pair>()
    for (const pair of node.items) last.set(keyOf(document, pair), pair)
    for (const pair of node.items) {
      const key = keyOf(document, pair)
      const counting = last.get(key)
      if (counting && counting !== pair && key !== '<<') {
        const name = [...path, key].join('.').slice(0, longestPath)
        const again = lineAt(startOf(counting))
        const message = `${name} comes again in line ${again}: the last one counts, this one does not`
        found.push({ path: name, line: lineAt(startOf(pair)), message })
        if (found.length >= mostTold) return
      }
      walk(pair.value, [...path, key])
      if (found.length >= mostTold) return
    }
  }
  walk(document.contents, [])
  return found
}

function keyOf(document: YamlDocument, { key }: Pair): string {
  const node = resolved(document, key)
  const value = isScalar(node) ? node.value : node?.toString()
  // The parser has a symbol for the key that merges another map in.
  return typeof value === 'symbol' ? '<<' : String(value ?? '')
}

function startOf({ key }: Pair): number {
  return (key as Node | null)?.range?.[0] ?? 0
}

/** Lines of offsets, each found without looking through the text again. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
