import { isMap, isScalar, isSeq, type Node } from 'yaml'
import {
  blockLines,
  entryLines,
  flowText,
  isInline,
  itemLines,
  literalLines,
  type Quote,
  type Style,
} from './scalar-text.ts'
import { columnOf, endOf, isBlock, isEmptyScalar, lastSlot, type Path, type Slot } from './slot.ts'

/** Bytes of a text that give way to others. */
export interface Edit {
  from: number
  to: number
  text: string
}

/** The edits that put a value into a slot. `lines` replaces how a collection would be written. */
export function editsOfSlot(text: string, slot: Slot, value: unknown, style: Style, lines?: string[]): Edit[] {
  const isOneLine = isInline(value) && lines === undefined
  const isFlow = (isMap(slot.node) || isSeq(slot.node)) && slot.node.flow && slot.node.items.length > 0 && !lines
  if (style === 'flow') return inPlace(text, slot, flowText(value))
  if (slot.isInFlow || isFlow) return inPlace(text, slot, flowText(value, quoteOf(slot.node)))
  const literal = style === 'plain' && slot.column >= 0 ? literalLines(value) : undefined
  if (literal && !isBlock(slot.node)) return inPlace(text, slot, shifted(literal, slot.column))
  if (isOneLine) return inPlace(text, slot, flowText(value, style === 'plain' ? quoteOf(slot.node) : 'double'))
  return asBlock(text, slot, value, lines ?? blockLines(value, style))
}

function quoteOf(node: Node | null): Quote {
  if (!isScalar(node)) return 'plain'
  return node.type === 'QUOTE_SINGLE' ? 'single' : node.type === 'QUOTE_DOUBLE' ? 'double' : 'plain'
}

function shifted(lines: readonly string[], column: number): string {
  const margin = ' '.repeat(column)
  return lines.map((line, index) => (index === 0 || line === '' ? line : margin + line)).join('\n')
}

/** Something that begins behind the mark, on its line. */
function inPlace(text: string, slot: Slot, written: string): Edit[] {
  const { node, mark } = slot
  const end = endOf(text, slot)
  if (!node?.range || isEmptyScalar(node)) return [{ from: mark, to: mark, text: mark === 0 ? written : ` ${written}` }]
  const start = node.range[0]
  const isBelow = isBlock(node) && text.slice(mark, start).includes('\n')
  if (!isBelow) return [{ from: start, to: end, text: written }]
  return [
    { from: mark, to: mark, text: ` ${written}` },
    { from: text.lastIndexOf('\n', start - 1), to: end, text: '' },
  ]
}

function asBlock(text: string, slot: Slot, value: unknown, lines: readonly string[]): Edit[] {
  const { node, mark, column } = slot
  const end = endOf(text, slot)
  const isEmpty = !node?.range || isEmptyScalar(node)
  const start = isEmpty ? mark : (node?.range?.[0] ?? mark)
  if (isBlock(node)) {
    // A list may stand below its key without being indented, a map may not.
    const own = columnOf(text, node)
    const wanted = !slot.isItem && own <= column && !Array.isArray(value) ? column + 2 : own
    return [{ from: start, to: end, text: ' '.repeat(wanted - own) + withMargin(lines, wanted) }]
  }
  if (column < 0) return [{ from: start, to: end, text: lines.join('\n') }]
  if (slot.isItem) {
    return [{ from: start, to: end, text: (isEmpty ? ' ' : '') + withMargin(lines, column + 2) }]
  }
  const lineEnd = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end)
  const margin = ' '.repeat(column + 2)
  const below = { from: lineEnd, to: lineEnd, text: `\n${margin}${withMargin(lines, column + 2)}` }
  const hasComment = /\S/.test(text.slice(end, lineEnd))
  return [{ from: hasComment ? start : mark, to: end, text: '' }, below]
}

function withMargin(lines: readonly string[], column: number): string {
  return shifted(lines, column)
}

/** The edits that put an entry into a map or behind the end of a list, or undefined where it has no such place. */
export function editsOfNewEntry(
  text: string,
  slot: Slot,
  rest: Path,
  value: unknown,
  style: Style,
): Edit[] | undefined {
  const [key, ...deeper] = rest
  if (key === undefined) return undefined
  const { node } = slot
  const inner = nested(deeper, value)
  const isEmptyHere =
    !node || (isScalar(node) && node.value === null) || ((isMap(node) || isSeq(node)) && node.items.length === 0)
  if (isEmptyHere && (typeof key === 'string' || key === 0)) {
    const whole = nested(rest, value)
    if (slot.column < 0) return newDocument(text, slot, whole, style)
    return editsOfSlot(text, slot, whole, style)
  }
  const fits = isMap(node) ? true : isSeq(node) && Number(key) === node.items.length
  if (!fits || !(isMap(node) || isSeq(node))) return undefined
  const last = lastSlot(text, node, slot.isInFlow)
  const end = last && endOf(text, last)
  if (end === undefined) return undefined
  if (node.flow || style === 'flow') {
    if (!node.flow) return undefined
    const entry = isMap(node) ? flowText({ [key]: inner }, 'plain').slice(1, -1) : flowText(inner, 'plain')
    return [{ from: end, to: end, text: `, ${entry}` }]
  }
  const lineEnd = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end)
  const column = columnOf(text, node)
  const lines = isMap(node) ? entryLines(String(key), inner, style) : itemLines(inner, style)
  return [{ from: lineEnd, to: lineEnd, text: `\n${' '.repeat(column)}${withMargin(lines, column)}` }]
}

function newDocument(text: string, slot: Slot, value: unknown, style: Style): Edit[] {
  const written = `${blockLines(value, style).join('\n')}\n`
  if (slot.node?.range && !isEmptyScalar(slot.node)) {
    return [{ from: slot.node.range[0], to: endOf(text, slot), text: written.trimEnd() }]
  }
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return [{ from: text.length, to: text.length, text: gap + written }]
}

/** `['a', 0], 1` becomes `{a: [1]}`. */
export function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => (typeof part === 'number' ? [inner] : { [part]: inner }), value)
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of [...edits].sort((a, b) => a.from - b.from || a.to - b.to)) {
    result += text.slice(at, edit.from) + edit.text
    at = edit.to
  }
  return result + text.slice(at)
}

export function overlaps(edits: readonly Edit[], more: readonly Edit[]): boolean {
  return edits.some((a) => more.some((b) => a.from <= b.to && b.from <= a.to))
}
