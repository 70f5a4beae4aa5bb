import { isAlias, isMap, isNode, isSeq, stringify, type YAMLMap, type YAMLSeq } from 'yaml'
import { applyEdits, commentStart, type Edit, editsOfNewEntry, editsOfSlot, overlaps } from './edits.ts'
import { sameValue, valueAt, withValueAt } from './plain-values.ts'
import { isRecord, type Style } from './scalar-text.ts'
import { endOf, isBlock, type Path, pairOf, type Slot, slotAt, slotOfItem } from './slot.ts'
import { type OpenText, openText, plainValue, type YamlDocument, YamlRefused } from './yaml-document.ts'

/** A new value for a place in a document. `lines` is how people wrote it, when they wrote it as YAML. */
export interface Change {
  path: Path
  value: unknown
  lines?: string[]
}

/**
 * Rewrites one value and nothing else: comments, order, quoting and every other byte stay. A new value is added
 * at the end of the map or list it belongs to; undefined removes the value. An anchored value changes for all that
 * refer to it. Throws YamlRefused when the text is not YAML.
 */
export function writeField(yamlText: string, path: Path, value: unknown): string {
  return writeFields(yamlText, [{ path, value }])
}

/** Many changes at once; the text is parsed only as often as they touch each other. */
export function writeFields(yamlText: string, changes: readonly Change[]): string {
  return writtenFields(openText(yamlText), changes).text
}

/** The same for a text that has been read: what it becomes has been read as well. */
export function writtenFields(before: OpenText, changes: readonly Change[]): OpenText {
  const real = changes.filter(
    ({ path, value }) =>
      (value !== undefined && !isThere(before.value, path)) || !sameValue(valueAt(before.value, path), value),
  )
  return real.length === 0 ? before : (together(before, real) ?? real.reduce(alone, before))
}

function isThere(root: unknown, path: Path): boolean {
  return path.length === 0 || valueAt(root, path) !== undefined
}

/** All changes from one parse, when none touches another and the result says what it should. */
function together({ text, document, value }: OpenText, changes: readonly Change[]): OpenText | undefined {
  const edits: Edit[] = []
  for (const change of changes) {
    const own = editsOf(text, document, change, 'plain')
    if (!own || overlaps(edits, own)) return undefined
    edits.push(...own)
  }
  return checked(applyEdits(text, edits), wanted(value, changes), changes, hasAliases(text))
}

const styles: readonly Style[] = ['plain', 'quoted', 'flow']

/** A change that says the same in another way. */
export function rewritten(before: OpenText, change: Change): OpenText {
  const after = alone(before, change)
  return after.text === before.text ? before : after
}

/** One change, in the nicest style that gives the value wanted. */
function alone(before: OpenText, change: Change): OpenText {
  const { text, document, value } = before
  const after = wanted(value, [change])
  // Removing a value that is not there changes nothing. Removing the last entry of a collection does: it becomes empty.
  if (change.value === undefined && sameValue(value, after)) return before
  for (const style of styles) {
    const edits = editsOf(text, document, change, style)
    const result = edits && checked(applyEdits(text, edits), after, [change], hasAliases(text))
    if (result !== undefined) return result
  }
  // The nearest collection around it is written anew; at the root that is the whole document.
  if (change.path.length === 0) return openText(stringify(change.value))
  const parent = change.path.slice(0, -1)
  return alone(before, { path: parent, value: valueAt(after, parent) })
}

function wanted(before: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((value, change) => withValueAt(value, change.path, change.value), before)
}

function hasAliases(text: string): boolean {
  return text.includes('*')
}

/** The result, if it reads as it should. Where aliases share values only the changed places are compared. */
function checked(text: string, after: unknown, changes: readonly Change[], isShared: boolean): OpenText | undefined {
  try {
    const result = openText(text)
    if (sameValue(result.value, after)) return result
    const isRight = changes.every(({ path }) => sameValue(valueAt(result.value, path), valueAt(after, path)))
    return isShared && isRight ? result : undefined
  } catch (error) {
    if (error instanceof YamlRefused) return undefined
    throw error
  }
}

function editsOf(text: string, document: YamlDocument, change: Change, style: Style): Edit[] | undefined {
  const { path, value } = change
  if (value === undefined) return removalOf(text, document, path)
  const found = slotAt(text, document, path)
  if (!found) return undefined
  const { slot, depth } = found
  if (depth === path.length) {
    if (depth === 0) return rootEdits(text, slot, value, style, change.lines)
    return editsOfSlot(text, slot, value, style, style === 'plain' ? change.lines : undefined)
  }
  const rest = path.slice(depth)
  if (!isAlias(slot.node))
    return editsOfNewEntry(text, slot, rest, value, style, style === 'plain' ? change.lines : undefined)
  // The value of an alias is written out here, so that its other users keep theirs.
  const shared = plainValue(document, slot.node)
  return editsOfSlot(text, slot, withValueAt(shared, rest, value), style)
}

/**
 * Takes an entry out with its lines and the comment that stands directly above it; the last of a collection leaves an
 * empty one.
 */
function removalOf(text: string, document: YamlDocument, path: Path): Edit[] | undefined {
  const own = slotAt(text, document, path)
  const around = slotAt(text, document, path.slice(0, -1))
  const parent = around?.slot.node
  if (own?.depth !== path.length || !around || !isBlock(parent ?? null)) return undefined
  if (!(isMap(parent) || isSeq(parent)) || parent.items.length < 2) return undefined
  const last = path.at(-1) as string | number
  const key = isMap(parent) ? pairOf(parent, String(last))?.key : undefined
  const start = isMap(parent) ? isNode(key) && key.range?.[0] : dashOf(text, own.slot.mark)
  if (typeof start !== 'number') return undefined
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', endOf(text, own.slot))
  if (text.slice(lineStart, start).trim() !== '') return behindDash(text, parent, { lineStart, start, lineEnd })
  const from = commentStart(text, lineStart, text.slice(lineStart, start))
  return [{ from, to: lineEnd < 0 ? text.length : lineEnd + 1, text: '' }]
}

/** The dash of an entry, before which its tags and anchors may stand. */
function dashOf(text: string, mark: number): number {
  const lineStart = text.lastIndexOf('\n', mark - 1) + 1
  const dashes = /^\s*(?:- +)*-(?=\s|$)/.exec(text.slice(lineStart, mark))?.[0]
  return dashes === undefined ? mark - 1 : lineStart + dashes.length - 1
}

/** The first entry behind a dash: the next one takes its place, or stands below the dash with its comments. */
function behindDash(
  text: string,
  parent: YAMLMap | YAMLSeq,
  { lineStart, start, lineEnd }: { lineStart: number; start: number; lineEnd: number },
): Edit[] | undefined {
  const dashes = /^\s*(?:- +)*-/.exec(text.slice(lineStart, start))?.[0]
  const next = isMap(parent) ? parent.items[1]?.key : slotOfItem(text, parent, 1, false)
  const nextStart = isNode(next) ? next.range?.[0] : isSlot(next) ? next.mark - 1 : undefined
  if (dashes === undefined || nextStart === undefined || lineEnd < 0 || nextStart < lineEnd) return undefined
  if (/^ *$/.test(text.slice(lineEnd + 1, nextStart))) return [{ from: start, to: nextStart, text: '' }]
  return [{ from: lineStart + dashes.length, to: lineEnd, text: '' }]
}

function isSlot(value: unknown): value is Slot {
  return isRecord(value) && 'mark' in value
}

function rootEdits(text: string, slot: Slot, value: unknown, style: Style, lines?: string[]): Edit[] | undefined {
  return isMap(slot.node) ? editsOfSlot(text, slot, value, style, lines) : editsOfSlot(text, slot, value, style)
}
