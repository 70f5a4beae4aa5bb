import {
  type CST,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { YamlDocument } from './yaml-document.ts'

export type Path = readonly (string | number)[]

/** The place of a value in a text: behind its key or dash, with what stands there now. */
export interface Slot {
  node: Node | null
  /** Where the key's colon, the dash, or the last tag or anchor before the value ends; 0 for the whole document. */
  mark: number
  /** The column of the map or list that the value belongs to; -1 for the whole document. */
  column: number
  isItem: boolean
  isInFlow: boolean
}

/** How far a path leads: to a slot, or to the last node on its way that is there. */
interface Found {
  slot: Slot
  /** How many parts of the path lead to `slot`. */
  depth: number
}

export function slotAt(text: string, document: YamlDocument, path: Path): Found | undefined {
  const contents = isNode(document.contents) ? document.contents : null
  let slot: Slot = { node: contents, mark: 0, column: -1, isItem: false, isInFlow: false }
  for (const [depth, part] of path.entries()) {
    const next = step(text, slot, part)
    if (next === 'missing') return { slot, depth }
    if (!next) return undefined
    slot = next
  }
  return { slot, depth: path.length }
}

function step(text: string, slot: Slot, part: string | number): Slot | 'missing' | undefined {
  const { node } = slot
  if (isMap(node)) {
    const pair = pairOf(node, String(part))
    return pair ? slotOfPair(text, node, pair, slot.isInFlow) : 'missing'
  }
  if (isSeq(node) && Number.isInteger(Number(part))) {
    return Number(part) < node.items.length ? slotOfItem(text, node, Number(part), slot.isInFlow) : 'missing'
  }
  return 'missing'
}

/** The pair of a key. If the key is there several times, the last one counts, as for every reader. */
export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.findLast((pair) => isScalar(pair.key) && String(pair.key.value ?? '') === key)
}

export function slotOfPair(text: string, map: YAMLMap, pair: Pair, isInFlow: boolean): Slot | undefined {
  const source = (pair as Pair & { srcToken?: CST.CollectionItem }).srcToken
  const mark = markOf(source?.sep, ['map-value-ind', 'anchor', 'tag'])
  if (mark === undefined) return undefined
  const node = isNode(pair.value) ? pair.value : null
  return { node, mark, column: columnOf(text, map), isItem: false, isInFlow: isInFlow || map.flow === true }
}

export function slotOfItem(text: string, list: YAMLSeq, index: number, isInFlow: boolean): Slot | undefined {
  const isFlow = isInFlow || list.flow === true
  const item: unknown = list.items[index]
  const node = isNode(item) ? item : null
  if (list.flow) {
    return node?.range ? { node, mark: node.range[0], column: 0, isItem: true, isInFlow: true } : undefined
  }
  const tokens = (list as YAMLSeq & { srcToken?: CST.BlockSequence }).srcToken?.items[index]?.start
  const mark = markOf(tokens, ['seq-item-ind', 'anchor', 'tag'])
  if (mark === undefined) return undefined
  return { node, mark, column: columnOf(text, list), isItem: true, isInFlow: isFlow }
}

function markOf(tokens: readonly CST.SourceToken[] | undefined, types: readonly string[]): number | undefined {
  const last = tokens?.findLast(({ type }) => types.includes(type))
  return last && last.offset + last.source.length
}

export function columnOf(text: string, node: Node): number {
  const start = node.range?.[0] ?? 0
  return start - (text.lastIndexOf('\n', start - 1) + 1)
}

/** Where the bytes of a value end, without the line break or comment behind it. */
export function endOf(text: string, slot: Slot): number {
  const { node, mark } = slot
  if (!node?.range || isEmptyScalar(node)) return mark
  if ((isMap(node) || isSeq(node)) && !node.flow && node.items.length > 0) {
    const last = lastSlot(text, node, slot.isInFlow)
    if (last) return endOf(text, last)
  }
  let end = node.range[1]
  while (end > node.range[0] && /\s/.test(text[end - 1] ?? '')) end -= 1
  return end
}

export function lastSlot(text: string, node: YAMLMap | YAMLSeq, isInFlow: boolean): Slot | undefined {
  if (isSeq(node)) return slotOfItem(text, node, node.items.length - 1, isInFlow)
  const pair = node.items.at(-1)
  return pair && slotOfPair(text, node, pair, isInFlow)
}

export function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && !isAlias(node) && node.range?.[0] === node.range?.[1]
}

export function isBlock(node: Node | null): node is YAMLMap | YAMLSeq {
  return (isMap(node) || isSeq(node)) && node.flow !== true
}
