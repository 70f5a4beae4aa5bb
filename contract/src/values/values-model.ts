import { isMap, isSeq } from 'yaml'
import type { FieldConfiguration } from '../deployment.ts'
import { type Chunk, isTiedWithin, type Level, splitLevel, textOfChunk, textOfLevel, valueOfLevel } from './chunks.ts'
import { type Comments, commentsOf } from './comments.ts'
import { editField, type FieldEdit } from './field-edit.ts'
import { fieldOfItem, fieldOfPair, fieldsOfDocument, isMapOfTexts, nameOf, readingOf } from './fields.ts'
import { withEntries, withLevelFields } from './model-fields.ts'
import { sameValue, valueAt } from './plain-values.ts'
import { type Shape, shapeOf } from './schema-shape.ts'
import type { Path } from './slot.ts'
import { type OpenText, openText, openYaml, plainValue, YamlRefused } from './yaml-document.ts'

/**
 * A values document with its form. A change reads and rewrites only the entry that it is in, so its cost does not grow
 * with the document. Never changed itself: what an edit leaves alone is shared by the model before and after it.
 */
export interface ValuesModel {
  readonly text: string
  readonly schema: unknown
  /** The plain value; undefined while the text is not YAML. */
  readonly value: unknown
  readonly fields: readonly FieldConfiguration[]
  /** Its entries, where they can be told apart by lines. */
  readonly level: Level | undefined
  readonly described: Comments['ofPath']
}

export function openValues(text: string, schema: unknown): ValuesModel {
  const comments = commentsOf(text)
  const empty = { text, schema, value: undefined, fields: [], level: undefined, described: comments.ofPath }
  try {
    const document = openYaml(text)
    const value = plainValue(document)
    const fields = fieldsOfDocument(readingOf(text, document, schema, comments))
    const whole = { from: 0, to: text.length }
    const level = isMap(document.contents) ? splitLevel(text, document, document.contents, whole, fields) : undefined
    return { ...empty, value, fields, level: level && isOneDocument(text, level) ? level : undefined }
  } catch (error) {
    if (error instanceof YamlRefused) return empty
    throw error
  }
}

/** Directives and further documents reach beyond the entries. */
function isOneDocument(text: string, { head }: Level): boolean {
  return !/^%/m.test(head) && !/^(?:---|\.\.\.)(?:\s|$)/m.test(text.slice(head.length))
}

/** The model after one edit. Throws YamlRefused when the document, or the text of a `yaml` field, is not YAML. */
export function changeValues(model: ValuesModel, path: Path, edit: FieldEdit): ValuesModel {
  return changedInPlace(model, path, edit) ?? openValues(editField(openText(model.text), path, edit).text, model.schema)
}

/** The entries that an edit is about, and the levels that lead there. */
interface Target {
  steps: { level: Level; index: number }[]
  level: Level
  from: number
  count: number
}

function changedInPlace(model: ValuesModel, path: Path, edit: FieldEdit): ValuesModel | undefined {
  const target = model.level && targetOf(model.level, path, edit)
  if (!target) return undefined
  const { level, from, count, steps } = target
  const group = level.chunks.slice(from, from + count)
  const before = group.some(isTiedWithin) ? undefined : readAlone(group.map(textOfChunk).join(''))
  if (!before || !sameValue(before.value, valueOfLevel({ ...level, chunks: group }))) return undefined
  const above = path.slice(0, steps.length)
  const [part = '', ...rest] = path.slice(steps.length)
  const after = editField(before, [level.kind === 'list' ? Number(part) - from : part, ...rest], edit)
  if (after === before) return model
  if (before.text.endsWith('\n') && !after.text.endsWith('\n')) return undefined
  // A comment that lost its entry stands above what comes next, and is read as speaking of it.
  if (endsInComment(after.text) && !endsInComment(before.text)) return undefined
  return replaced(model, target, above, after)
}

function endsInComment(text: string): boolean {
  return /(?:^|\n)[ \t]*#[^\n]*\n$/.test(text)
}

function readAlone(text: string): OpenText | undefined {
  try {
    return openText(text)
  } catch (error) {
    if (error instanceof YamlRefused) return undefined
    throw error
  }
}

function targetOf(root: Level, path: Path, edit: FieldEdit): Target | undefined {
  const steps: Target['steps'] = []
  let level = root
  for (const [depth, part] of path.entries()) {
    const index = level.chunks.findIndex(
      (chunk) => chunk.part === (level.kind === 'list' ? Number(part) : String(part)),
    )
    const chunk = level.chunks[index]
    const isLast = depth === path.length - 1
    // What is not there yet is written behind the last entry.
    if (!chunk) return { steps, level, from: level.chunks.length - 1, count: 1 }
    if (isLast && (edit.kind === 'remove' || edit.kind === 'rename')) return besides(steps, level, index)
    if (isLast || !chunk.level) return { steps, level, from: index, count: 1 }
    steps.push({ level, index })
    level = chunk.level
  }
  return undefined
}

/** An entry is taken out of itself and a neighbour; the last of its level goes with the entry above. */
function besides(steps: Target['steps'], level: Level, index: number): Target | undefined {
  if (level.chunks.length > 1) return { steps, level, from: Math.min(index, level.chunks.length - 2), count: 2 }
  const above = steps.at(-1)
  return above && { steps: steps.slice(0, -1), level: above.level, from: above.index, count: 1 }
}

function replaced(model: ValuesModel, target: Target, above: Path, after: OpenText): ValuesModel | undefined {
  const { level, from, count } = target
  const { text, document } = after
  const node = document.contents
  if (level.kind === 'map' ? !isMap(node) : !isSeq(node)) return undefined
  const entries = isMap(node)
    ? node.items.map((pair): Entry => [nameOf(pair) ?? '', plainValue(document, pair.value)])
    : isSeq(node)
      ? node.items.map((item, at): Entry => [from + at, plainValue(document, item)])
      : []
  const chunks = withRenumbered(level, from, count, entries)
  // A form shows a map of texts as one while there is nothing else in it.
  if (isMapOfTexts(String(above.at(-1))) && hasOnlyTexts(level.chunks) !== hasOnlyTexts(chunks)) return undefined
  const next = withLevel(target, { ...level, chunks })
  const [parent, before] = [shapesOf(model, next.value, above), shapesOf(model, model.value, above)]
  // Where a condition of the schema turns, other fields change with it.
  if (parent.variant !== before.variant) return undefined
  const reading = readingOf(text, document, model.schema, { ...commentsOf(text), ofPath: model.described })
  const fields = isMap(node)
    ? node.items.map((pair) => fieldOfPair(reading, pair, above, parent.shape))
    : isSeq(node)
      ? node.items.map((_, at) => fieldOfItem(reading, node, at, above, parent.shape, from + at))
      : []
  const split = node && splitLevel(text, document, node, { from: 0, to: text.length }, fields)
  if (split?.head !== '') return undefined
  const own = split.chunks.map((chunk, at) => (level.kind === 'list' ? { ...chunk, part: from + at } : chunk))
  const whole = withLevel(target, {
    ...level,
    chunks: [...chunks.slice(0, from), ...own, ...chunks.slice(from + entries.length)],
  })
  const gone = level.chunks.slice(from, from + count).map(({ part }) => part)
  const list = withLevelFields(model.fields, above, parent.choices, (siblings) =>
    withEntries(siblings, { kind: level.kind, from, gone, fields, budget: reading, shape: parent.shape }),
  )
  return list && { ...model, text: textOfLevel(whole.level), value: whole.value, level: whole.level, fields: list }
}

function hasOnlyTexts(chunks: readonly Chunk[]): boolean {
  return chunks.every(({ value }) => typeof value === 'string')
}

type Entry = readonly [part: string | number, value: unknown]

/** The chunks with `count` of them given way to so many entries; behind them a list counts on. */
function withRenumbered(level: Level, from: number, count: number, entries: readonly Entry[]): Chunk[] {
  const fresh = entries.map(([part, value]): Chunk => ({ part, value, text: '', level: undefined, isTied: false }))
  const rest = level.chunks.slice(from + count)
  const moved = entries.length - count
  const isMoved = level.kind === 'list' && moved !== 0
  const behind = isMoved ? rest.map((chunk) => ({ ...chunk, part: Number(chunk.part) + moved })) : rest
  return [...level.chunks.slice(0, from), ...fresh, ...behind]
}

/** Puts a changed level back into the levels above it. */
function withLevel({ steps }: Target, level: Level): { level: Level; value: unknown } {
  return steps.reduceRight(
    (inner, { level: outer, index }) => {
      const chunks = outer.chunks.map((chunk, at) =>
        at === index ? { ...chunk, text: '', value: inner.value, level: inner.level } : chunk,
      )
      const joined = { ...outer, chunks }
      return { level: joined, value: valueOfLevel(joined) }
    },
    { level, value: valueOfLevel(level) },
  )
}

/** The shape at a path, which way conditions went on the way, and the choices of each level. */
function shapesOf({ schema }: ValuesModel, value: unknown, path: Path) {
  let shape: Shape | undefined = shapeOf(schema, schema, value ?? {})
  let variant = shape?.variant ?? ''
  const choices: (Shape | undefined)[] = [shape]
  for (const [depth, part] of path.entries()) {
    const known: Shape | undefined = shape
    const inner: unknown =
      typeof part === 'number' || known?.type === 'array'
        ? known?.items
        : known && Object.hasOwn(known.properties, part)
          ? known.properties[part]
          : known?.entries?.schema
    shape = inner === undefined ? undefined : shapeOf(inner, schema, valueAt(value, path.slice(0, depth + 1)))
    variant += `/${shape?.variant ?? ''}`
    choices.push(shape)
  }
  return { shape, variant, choices }
}
