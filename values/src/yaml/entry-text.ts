import { isMap, isScalar, type Pair, type YAMLMap } from 'yaml'
import { columnOf, endOf, isBlock, slotOfPair } from './slot.ts'
import type { YamlDocument } from './yaml-document.ts'

/** One entry of a map as it is written: what stands above its key, and its own lines. */
export interface Entry {
  lead: string
  body: string
  /** For an entry that holds a map on lines of its own: the key's line, and the map. */
  head: string
  child: Block | undefined
}

/** A map whose entries stand on lines of their own; the texts of the entries are all of its bytes. */
export interface Block {
  column: number
  entries: Map<string, Entry>
}

/** The bytes of a document entry by entry, or undefined where they cannot be told apart that way. */
export function blockOf(text: string, document: YamlDocument): (Block & { rest: string }) | undefined {
  const { contents } = document
  if (!isMap(contents) || contents.flow) return undefined
  const found = blockIn(text, contents, 0)
  return found && { ...found.block, rest: text.slice(found.end) }
}

function blockIn(text: string, map: YAMLMap, start: number) {
  const column = columnOf(text, map)
  const entries = new Map<string, Entry>()
  let at = start
  for (const pair of map.items) {
    const entry = entryOf(text, map, pair, at, column)
    if (!entry || entries.has(entry.key)) return undefined
    entries.set(entry.key, entry)
    at = entry.end
  }
  return { block: { column, entries }, end: at }
}

function entryOf(text: string, map: YAMLMap, pair: Pair, start: number, column: number) {
  if (!isScalar(pair.key) || !pair.key.range) return undefined
  const key = String(pair.key.value ?? '')
  const lineStart = text.lastIndexOf('\n', pair.key.range[0] - 1) + 1
  const isOnOwnLine = lineStart >= start && pair.key.range[0] - lineStart === column
  if (!isOnOwnLine || text.slice(lineStart, pair.key.range[0]).trim() !== '') return undefined
  const slot = slotOfPair(text, map, pair, false)
  if (!slot) return undefined
  const end = lineEndAt(text, endOf(text, slot))
  const whole = { key, end, lead: text.slice(start, lineStart), body: text.slice(lineStart, end) }
  if (!isMap(slot.node) || !isBlock(slot.node) || slot.node.items.length === 0)
    return { ...whole, head: '', child: undefined }
  const headEnd = lineEndAt(text, slot.mark)
  const inner = blockIn(text, slot.node, headEnd)
  if (!inner || inner.end !== end) return { ...whole, head: '', child: undefined }
  return { ...whole, head: text.slice(lineStart, headEnd), child: inner.block }
}

/** Behind the line break of the line that an offset is on. */
function lineEndAt(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end + 1
}
