import { isAlias, isCollection, isMap, isNode, isScalar, isSeq, type Node, type Pair, visit } from 'yaml'
import { plainValue, type YamlDocument } from '../yaml/yaml-document.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import { nameOf } from './fields.ts'

/**
 * One entry of a map or list that stands on lines of its own, with the comments directly above it. Its text can be
 * read and rewritten without the rest of the document.
 */
export interface Chunk {
  part: string | number
  /** All of its bytes, unless its value is split further. */
  text: string
  value: unknown
  level: Level | undefined
  /** It takes part in anchors and aliases, and means nothing alone. */
  isTied: boolean
}

/** The entries of one map or list; `head` stands before the first. */
export interface Level {
  kind: 'map' | 'list'
  head: string
  chunks: readonly Chunk[]
}

const worthSplitting = 1500

/**
 * Splits the entries of a map or list that fill `text` from `from` to `to`, or answers undefined where they cannot be
 * told apart by lines.
 */
export function splitLevel(
  text: string,
  document: YamlDocument,
  node: Node,
  range: { from: number; to: number },
  fields: readonly FieldConfiguration[],
): Level | undefined {
  if (!(isMap(node) || isSeq(node)) || node.flow || node.items.length === 0 || node.tag?.startsWith('!'))
    return undefined
  const starts = node.items.map((item) => startOf(text, item))
  if (starts.some((start, at) => start === undefined || start < range.from || start <= (starts[at - 1] ?? -1)))
    return undefined
  const parts = node.items.map((item, at) => (isMap(node) ? nameOf(item as Pair) : at))
  if (parts.some((part) => part === undefined || odd.has(part)) || new Set(parts).size < parts.length) return undefined
  const chunks = node.items.map((item, at): Chunk => {
    const span = { from: starts[at] as number, to: starts[at + 1] ?? range.to }
    const value = isMap(node) ? (item as Pair).value : item
    const field = isMap(node) ? fields.find(({ name }) => name === parts[at]) : fields[at]
    return chunkOf(text, document, { part: parts[at] as string | number, node: value, span, field, item })
  })
  return { kind: isMap(node) ? 'map' : 'list', head: text.slice(range.from, starts[0]), chunks }
}

/** Names that mean more than an entry, or that no plain value keeps. */
const odd: ReadonlySet<unknown> = new Set(['<<', '__proto__', 'constructor', 'prototype'])

interface Entry {
  part: string | number
  node: unknown
  span: { from: number; to: number }
  field: FieldConfiguration | undefined
  item: unknown
}

function chunkOf(text: string, document: YamlDocument, { part, node, span, field, item }: Entry): Chunk {
  const isLarge = span.to - span.from > worthSplitting
  const isForm = field?.type === 'object' || field?.type === 'array'
  const fields = field?.type === 'array' ? field.collections : (field?.objects ?? [])
  const level = isLarge && isForm && isNode(node) ? splitLevel(text, document, node, span, fields) : undefined
  return {
    part,
    text: level ? '' : text.slice(span.from, span.to),
    value: plainValue(document, node),
    level,
    isTied: level ? false : isTied(item),
  }
}

/** Where the lines of an entry begin, with the comments directly above; undefined when it shares its first line. */
function startOf(text: string, item: unknown): number | undefined {
  const isPair = !isNode(item)
  const key = isPair ? (item as Pair).key : undefined
  const at = isPair ? (isScalar(key) ? key.range?.[0] : undefined) : dashBefore(text, item)
  if (at === undefined) return undefined
  let line = text.lastIndexOf('\n', at - 1) + 1
  const indent = text.slice(line, at)
  if (!/^ *$/.test(indent)) return undefined
  // A line of its own stands above only from the third byte on; what is above the second is an empty line.
  while (line > 1) {
    const above = text.lastIndexOf('\n', line - 2) + 1
    if (!text.startsWith(`${indent}#`, above)) break
    line = above
  }
  return line
}

/** A list's dash stands before its entry on the same line, or alone above it. */
function dashBefore(text: string, node: Node): number | undefined {
  const start = node.range?.[0]
  if (start === undefined) return undefined
  const line = text.lastIndexOf('\n', start - 1) + 1
  return /^ *- *$/.test(text.slice(line, start)) ? text.indexOf('-', line) : undefined
}

function isTied(item: unknown): boolean {
  let found = false
  const look = (node: unknown) => {
    if (isAlias(node) || ((isScalar(node) || isCollection(node)) && node.anchor !== undefined)) found = true
  }
  for (const node of isNode(item) ? [item] : [(item as Pair).key, (item as Pair).value]) {
    if (isNode(node)) visit(node, (_, each) => look(each))
  }
  return found
}

export function isTiedWithin({ isTied, level }: Chunk): boolean {
  return isTied || (level?.chunks.some(isTiedWithin) ?? false)
}

export function textOfLevel({ head, chunks }: Level): string {
  return head + chunks.map(textOfChunk).join('')
}

export function textOfChunk(chunk: Chunk): string {
  return chunk.level ? textOfLevel(chunk.level) : chunk.text
}

export function valueOfLevel({ kind, chunks }: Level): unknown {
  if (kind === 'list') return chunks.map(({ value }) => value)
  return Object.fromEntries(chunks.map(({ part, value }) => [part, value]))
}
