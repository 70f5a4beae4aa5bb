import { applyEdits, type Edit } from '@quayside/contract/values/edits'
import { CST, isAlias, isMap, isNode, isScalar, isSeq, Lexer, type Node, type Pair, parseAllDocuments } from 'yaml'
import { mask } from './hiding.ts'

/** A manifest whose Secrets keep their keys and lose their values, also those in lists and inside of other objects. */
export function maskSecrets(manifest: string): string {
  return partsOf(manifest)
    .map((part) => (mayHoldSecret.test(part) ? maskPart(part) : part))
    .join('')
}

/** The documents of a manifest in which there may be a Secret. */
export function partsWithSecrets(manifest: string): string[] {
  return partsOf(manifest).filter((part) => mayHoldSecret.test(part))
}

function partsOf(manifest: string): string[] {
  return manifest.split(/^(?=---(?:\s|$))/m)
}

// An escape may spell the word in another way.
const mayHoldSecret = /\bSecret(?:List)?\b|\\[xuU]/

function maskPart(part: string): string {
  const hidden = hiddenIn(part)
  if (hidden === undefined) return whatIsPlain(part)
  return hidden.length === 0 ? part : applyEdits(part, outermost([...hidden, ...commentsIn(part)]))
}

/** What stands inside of something hidden is hidden with it. */
function outermost(edits: readonly Edit[]): Edit[] {
  let end = -1
  return edits
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => {
      if (from < end) return false
      end = to
      return true
    })
}

interface Search {
  text: string
  resolve(node: unknown): Node | undefined
  found: Edit[]
  /** Visited, by whether it stands where only Secrets are. */
  seen: [Set<Node>, Set<Node>]
}

/** The values of every Secret in a text; undefined when it cannot be read. */
function hiddenIn(text: string): Edit[] | undefined {
  try {
    const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent', schema: 'failsafe' })
    const found: Edit[] = []
    for (const document of documents) {
      if (document.errors.length > 0) return undefined
      const resolve = (node: unknown) =>
        isAlias(node) ? node.resolve(document) : isNode(node) ? (node as Node) : undefined
      look({ text, resolve, found, seen: [new Set(), new Set()] }, document.contents, false)
    }
    return found
  } catch {
    // Nested so deeply, or with aliases so odd, that nothing here reads it.
    return undefined
  }
}

/** Items of a SecretList are Secrets without saying so. */
function look(search: Search, given: unknown, isAmongSecrets: boolean): void {
  const node = search.resolve(given)
  if (isSeq(node)) for (const item of node.items) look(search, item, isAmongSecrets)
  const seen = search.seen[isAmongSecrets ? 1 : 0]
  if (!isMap(node) || seen.has(node)) return
  seen.add(node)
  const pairs = pairsOf(search, node)
  const said = (value: unknown) => {
    const scalar = search.resolve(value)
    return isScalar(scalar) ? String(scalar.value) : undefined
  }
  const kinds = pairs.filter(({ key }) => said(key) === 'kind').map(({ value }) => said(value))
  const isSecret = kinds.includes('Secret') || (isAmongSecrets && kinds.length === 0)
  for (const { key, value } of pairs) {
    const name = said(key)
    if (isSecret && (name === 'data' || name === 'stringData')) hide(search, value)
    else look(search, value, name === 'items' && kinds.includes('SecretList'))
  }
}

/** With what is merged in. */
function pairsOf(search: Search, node: unknown, depth = 0): Pair[] {
  if (!isMap(node)) return []
  return node.items.flatMap((pair) => {
    if (depth > 8 || !isScalar(pair.key) || pair.key.value !== '<<') return [pair]
    const merged = search.resolve(pair.value)
    const maps = isSeq(merged) ? merged.items.map(search.resolve) : [merged]
    return [pair, ...maps.flatMap((map) => pairsOf(search, map, depth + 1))]
  })
}

/** The keys of a block stay, anything else goes as a whole. */
function hide(search: Search, value: unknown): void {
  const node = search.resolve(value)
  const values = isMap(node) && !node.flow ? pairsOf(search, node).map((pair) => search.resolve(pair.value)) : [node]
  for (const one of values) {
    if (!one?.range) continue
    const [from, end] = one.range
    const to = from + search.text.slice(from, end).trimEnd().length
    if (to > from) search.found.push({ from, to, text: mask })
  }
}

/** All comments but the one that says where the object comes from: people write down what was there before. */
function commentsIn(text: string): Edit[] {
  const found: Edit[] = []
  let at = 0
  let isText = false
  for (const source of new Lexer().lex(text)) {
    const type: string | null = isText ? 'text' : CST.tokenType(source)
    isText = type === 'scalar'
    if (type === 'doc-mode' || type === 'flow-error-end' || type === 'scalar') continue
    if (type === 'comment' && !source.startsWith('# Source: '))
      found.push({ from: at, to: at + source.length, text: '' })
    at += source.length
  }
  return found
}

const plainLine =
  /^(?:---|# Source: .*|(?:apiVersion|kind): *["']?[\w./-]+["']?|metadata:| {2}(?:name|namespace): *["']?[\w.-]+["']?) *$/

/** Of what cannot be read only what the object is called. */
function whatIsPlain(part: string): string {
  const lines = part.split('\n').filter((line) => plainLine.test(line))
  return `${[...lines, '# The rest is hidden: there may be a Secret in it, and it cannot be read.'].join('\n')}\n`
}
