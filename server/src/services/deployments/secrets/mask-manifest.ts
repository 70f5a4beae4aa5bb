import { secretMark } from '@quayside/values/secrets/secret-mark'
import { applyEdits, type Edit } from '@quayside/values/yaml/edits'
import { CST, isAlias, isMap, isNode, isScalar, isSeq, Lexer, type Node, type Pair, parseAllDocuments } from 'yaml'

/** A manifest whose Secrets keep their keys and lose their values, also those in lists and inside of other objects. */
export function maskSecrets(manifest: string): string {
  return partsOf(manifest)
    .map((part) => (mayHoldSecret.test(part) ? maskPart(part) : part))
    .join('')
}

/** A manifest for who may not see secrets: without Secrets, and without what environment variables are set to. */
export function withoutSecrets(manifest: string): string {
  return partsOf(manifest)
    .map((part) => (mayHoldSecret.test(part) || mayHoldEnv.test(part) ? maskPart(part, true) : part))
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
const mayHoldEnv = /\benv\b/

function maskPart(part: string, isForViewer = false): string {
  const hidden = hiddenIn(part, isForViewer)
  if (hidden === undefined) return namesOnly(part)
  if (hidden === 'a Secret') return ''
  return hidden.length === 0 ? part : applyEdits(part, outermost([...hidden, ...commentsIn(part)]))
}

/** Drops edits inside of another edit, which hides them with it. */
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
  /** Tells whether the values of environment variables are hidden as well. */
  hidesEnv: boolean
}

/**
 * The values of every Secret in a text; undefined when it cannot be read. For who may not see secrets a document that is
 * one is named as such instead.
 */
function hiddenIn(text: string, isForViewer: boolean): Edit[] | 'a Secret' | undefined {
  try {
    const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent', schema: 'failsafe' })
    const found: Edit[] = []
    for (const document of documents) {
      if (document.errors.length > 0) return undefined
      const resolve = (node: unknown) =>
        isAlias(node) ? node.resolve(document) : isNode(node) ? (node as Node) : undefined
      const search: Search = { text, resolve, found, seen: [new Set(), new Set()], hidesEnv: isForViewer }
      if (isForViewer && kindsOf(search, document.contents).some((kind) => /^Secret(List)?$/.test(kind)))
        return 'a Secret'
      look(search, document.contents, false)
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
  const said = (value: unknown) => textOf(search, value)
  const kinds = kindsOf(search, node)
  const isSecret = kinds.includes('Secret') || (isAmongSecrets && kinds.length === 0)
  for (const { key, value } of pairs) {
    const name = said(key)
    if (isSecret && (name === 'data' || name === 'stringData')) hide(search, value)
    else if (search.hidesEnv && name === 'env') hideEnv(search, value)
    else look(search, value, name === 'items' && kinds.includes('SecretList'))
  }
}

function textOf(search: Search, value: unknown): string | undefined {
  const scalar = search.resolve(value)
  return isScalar(scalar) ? String(scalar.value) : undefined
}

/** The kinds that an object says it is of. */
function kindsOf(search: Search, node: unknown): string[] {
  const pairs = pairsOf(search, search.resolve(node)).filter(({ key }) => textOf(search, key) === 'kind')
  return pairs.flatMap(({ value }) => textOf(search, value) ?? [])
}

/** Environment variables, as pods list them and as other kinds map them: where one comes from may be seen. */
function hideEnv(search: Search, value: unknown): void {
  const node = search.resolve(value)
  if (!isSeq(node)) hide(search, value)
  for (const item of isSeq(node) ? node.items : [])
    for (const pair of pairsOf(search, search.resolve(item)))
      if (textOf(search, pair.key) === 'value') hide(search, pair.value)
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
    if (to > from) search.found.push({ from, to, text: secretMark })
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

const nameLine =
  /^(?:---|# Source: .*|(?:apiVersion|kind): *["']?[\w./-]+["']?|metadata:| {2}(?:name|namespace): *["']?[\w.-]+["']?) *$/

/** Keeps only the lines that name the object, for a document that cannot be read. */
function namesOnly(part: string): string {
  const lines = part.split('\n').filter((line) => nameLine.test(line))
  return `${[...lines, '# The rest is hidden: there may be a Secret in it, and it cannot be read.'].join('\n')}\n`
}
