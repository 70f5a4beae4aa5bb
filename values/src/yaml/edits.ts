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
  scalarText,
} from './scalar-text.ts'
import { columnOf, endOf, isBlock, isEmptyScalar, lastSlot, type Path, type Slot } from './slot.ts'

/** Bytes of a text that give way to others. */
export interface Edit {
  from: number
  to: number
  text: string
}

/** The edits that put a value into a slot. `lines` replaces how it would be written. */
export function editsOfSlot(text: string, slot: Slot, value: unknown, style: Style, lines?: string[]): Edit[] {
  if (lines && isInlineText(lines, value)) return inPlace(text, slot, lines.join(''))
  const isOneLine = isInline(value) && lines === undefined
  const isFlow = (isMap(slot.node) || isSeq(slot.node)) && slot.node.flow && slot.node.items.length > 0 && !lines
  if (style === 'flow') return inPlace(text, slot, flowText(value))
  if (slot.isInFlow || isFlow) return inPlace(text, slot, flowText(value, quoteOf(slot.node)))
  const literal = style === 'plain' && slot.column >= 0 ? literalLines(value) : undefined
  if (literal && !isBlock(slot.node)) return inPlace(text, slot, shifted(literal, slot.column))
  if (isOneLine) return inPlace(text, slot, flowText(value, style === 'plain' ? quoteOf(slot.node) : 'double'))
  return asBlock(text, slot, value, lines ?? blockLines(value, style), lines !== undefined)
}

/** Tells whether lines stand behind a key: the text of a scalar, or of a collection in brackets. */
function isInlineText(lines: readonly string[], value: unknown): boolean {
  return lines.length === 1 && (isInline(value) || /^[[{]/.test(lines[0] ?? ''))
}

function quoteOf(node: Node | null): Quote {
  if (!isScalar(node)) return 'plain'
  return node.type === 'QUOTE_SINGLE' ? 'single' : node.type === 'QUOTE_DOUBLE' ? 'double' : 'plain'
}

/** How long the comment is that stands behind a value on its line. */
export function besideAt(text: string, end: number): number {
  return /^[ \t]+#[^\n]*/.exec(text.slice(end, lineEndAt(text, end)))?.[0].length ?? 0
}

function lineEndAt(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end
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
  // Comments above the first entry and beside the last one belong to the replaced value, so they go with it.
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const above = commentStart(text, lineStart, text.slice(lineStart, start))
  return [
    { from: mark, to: mark, text: ` ${written}` },
    { from: above - 1, to: end + besideAt(text, end), text: '' },
  ]
}

/** Where a map or list of lines of its own begins, with the comment directly above it. */
export function blockStart(text: string, node: Node): number {
  const start = node.range?.[0] ?? 0
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const indent = text.slice(lineStart, start)
  if (lineStart === 0 || indent.trim() !== '') return start
  const above = commentStart(text, lineStart, indent)
  return above === lineStart ? start : above + indent.length
}

/** Where the comment begins that stands directly above a line, indented as that is. */
export function commentStart(text: string, lineStart: number, indent: string): number {
  let start = lineStart
  while (start > 0) {
    const above = text.lastIndexOf('\n', start - 2) + 1
    if (start < 2 || !text.startsWith(`${indent}#`, above)) break
    start = above
  }
  return start
}

function asBlock(text: string, slot: Slot, value: unknown, lines: readonly string[], isWritten: boolean): Edit[] {
  const { node, mark, column } = slot
  const end = endOf(text, slot)
  const isEmpty = !node?.range || isEmptyScalar(node)
  const start = isEmpty ? mark : (node?.range?.[0] ?? mark)
  if (isBlock(node)) {
    // A list may stand below its key without being indented, a map may not.
    const own = columnOf(text, node)
    const wanted = !slot.isItem && own <= column && !Array.isArray(value) ? column + 2 : own
    // People have the comment above the first entry in their hands, too.
    const from = isWritten ? blockStart(text, node) : start
    return [
      {
        from,
        to: isWritten ? end + besideAt(text, end) : end,
        text: ' '.repeat(wanted - own) + withMargin(lines, wanted),
      },
    ]
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
  lines?: readonly string[],
): Edit[] | undefined {
  const [key, ...deeper] = rest
  if (key === undefined) return undefined
  const { node } = slot
  const inner = nested(deeper, value)
  const isEmptyHere =
    !node || (isScalar(node) && node.value === null) || ((isMap(node) || isSeq(node)) && node.items.length === 0)
  if (isEmptyHere && (typeof key === 'string' || key === 0)) {
    const whole = nested(rest, value)
    const own = lines && nestedLines(rest, lines, value)
    if (slot.column < 0) return newDocument(text, slot, own ?? blockLines(whole, style))
    return editsOfSlot(text, slot, whole, style, slot.isInFlow ? undefined : own)
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
  const own = isMap(node) && lines ? nestedLines(rest, lines, value) : undefined
  const written = own ?? (isMap(node) ? entryLines(String(key), inner, style) : itemLines(inner, style))
  return [{ from: lineEnd, to: lineEnd, text: `\n${' '.repeat(column)}${withMargin(written, column)}` }]
}

/** Lines of a value below the names that lead to it. */
function nestedLines(path: Path, lines: readonly string[], value: unknown): string[] | undefined {
  if (path.some((part) => typeof part === 'number')) return undefined
  const isBehind = isInlineText(lines, value)
  return path.reduceRight<string[]>(
    (inner, part, at) => {
      const name = `${scalarText(String(part))}:`
      if (isBehind && at === path.length - 1) return [`${name} ${inner.join('')}`]
      return [name, ...inner.map((line) => (line === '' ? '' : `  ${line}`))]
    },
    [...lines],
  )
}

function newDocument(text: string, slot: Slot, lines: readonly string[]): Edit[] {
  const written = `${lines.join('\n')}\n`
  if (slot.node?.range && !isEmptyScalar(slot.node)) {
    return [{ from: slot.node.range[0], to: endOf(text, slot), text: written.trimEnd() }]
  }
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return [{ from: text.length, to: text.length, text: gap + written }]
}

/** `['a', 0], 1` becomes `{a: [1]}`. */
function nested(path: Path, value: unknown): unknown {
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
