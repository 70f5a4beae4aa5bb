import { isMap, isSeq } from 'yaml'
import { defaultAt } from '../merge/coalesce.ts'
import { matches } from '../schema/schema-fits.ts'
import { initialOf } from '../schema/schema-initial.ts'
import { type Comments, commentsOf } from '../yaml/comments.ts'
import { sameValue, valueAt } from '../yaml/plain-values.ts'
import type { Path } from '../yaml/slot.ts'
import { type OpenText, openText, openYaml, plainValue, YamlRefused } from '../yaml/yaml-document.ts'
import { chooseForm, linesAt } from './choose-form.ts'
import { type Chunk, isTiedWithin, type Level, splitLevel, textOfChunk, textOfLevel, valueOfLevel } from './chunks.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import { editField, type FieldEdit, type TextEdit } from './field-edit.ts'
import {
  fieldOfItem,
  fieldOfPair,
  fieldsOfDocument,
  inheritedAt,
  isMapOfTexts,
  isTakenAway,
  nameOf,
  readingOf,
} from './fields.ts'
import { type FormMemory, keyOfPath, noMemory, withoutList } from './form-memory.ts'
import { withEntries, withLevelFields } from './model-fields.ts'
import { shapesOn } from './shapes-on-path.ts'

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
  /** The chart's own values, which hold where this document says nothing. */
  readonly defaults: ValuesModel | undefined
  readonly memory: FormMemory
}

/** Chart defaults and memory of forms that a document is opened with, besides its schema. */
export type OpenedWith = Partial<Pick<ValuesModel, 'defaults' | 'memory'>>

export function openValues(text: string, schema: unknown, opened: OpenedWith = {}): ValuesModel {
  const comments = commentsOf(text)
  const { defaults, memory = noMemory } = opened
  const about = { text, schema, described: comments.ofPath, defaults, memory }
  const empty = { ...about, value: undefined, fields: [], level: undefined }
  try {
    const document = openYaml(text)
    const value = plainValue(document)
    const fields = fieldsOfDocument(readingOf(text, document, schema, { defaults, chosen: memory.chosen, comments }))
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
  const list = unwrittenList(model, path)
  if (list) return changeValues(edited(model, list.path, list.edit), path, edit)
  const isOurs = defaultAt(model.defaults?.value, path) !== undefined
  if (edit.kind === 'choose') return withForm(model, path, edit.choice)
  // Helm would put in again what only stands in the document no longer.
  if (edit.kind === 'remove') return withoutOldPlaces(edited(model, path, isOurs ? taken : edit), path)
  if (edit.kind !== 'rename' || !isOurs) return edited(model, path, edit)
  const renamed = edited(model, path, edit)
  return renamed.text === model.text ? model : edited(renamed, path, taken)
}

/** Tells whether the schema leaves no room for an entry of this name at a path. */
export function isNameForbidden(model: ValuesModel, path: Path, name: string): boolean {
  return shapesOf(model, model.value, path).shape?.isForbidden(name) === true
}

/** Initial value of a new entry of this name; undefined where the schema has no rule for the name alone. */
export function initialOfName(model: ValuesModel, path: Path, name: string): unknown {
  const { shape } = shapesOf(model, model.value, path)
  const named = shape?.entries?.named.find(([pattern]) => matches(pattern, name))
  return named && initialOf(named[1], model.schema)
}

const taken: TextEdit = { kind: 'value', value: null }

function edited(model: ValuesModel, path: Path, edit: TextEdit): ValuesModel {
  const changed = changedInPlace(model, path, edit)
  if (changed) return changed
  const { text } = editField(openText(model.text), path, edit)
  return openValues(text, model.schema, model)
}

/** A list of the chart's that nobody has written yet: Helm takes a list as a whole, so all of it is written first. */
function unwrittenList({ value, defaults }: ValuesModel, path: Path) {
  const depth = path.findIndex((part) => typeof part === 'number')
  const at = path.slice(0, depth)
  const list = depth < 0 || valueAt(value, at) !== undefined ? undefined : defaultAt(defaults?.value, at)
  if (!Array.isArray(list) || !defaults) return undefined
  const lines = linesAt(openText(defaults.text), at)
  const edit: TextEdit = lines ? { kind: 'yaml', text: lines.join('\n') } : { kind: 'value', value: list }
  return { path: at, edit }
}

/** Entries of a list move up when one goes. */
function withoutOldPlaces(model: ValuesModel, path: Path): ValuesModel {
  if (typeof path.at(-1) !== 'number') return model
  return { ...model, memory: withoutList(model.memory, path.slice(0, -1)) }
}

/** The model with a value in another of the forms that its schema offers. */
function withForm(model: ValuesModel, path: Path, choice: number): ValuesModel {
  const { schema, shape } = shapesOf(model, model.value, path)
  if (!shape || choice === shape.choice || choice >= shape.choices.length) return model
  const { defaults } = model
  const choosing = {
    ...{ schema, root: model.schema, whole: path, current: shape.choice, choice, defaults: defaults?.value },
    written: () => (defaults ? openText(defaults.text) : undefined),
  }
  let memory = model.memory
  const rewrite = (before: OpenText, at: Path) => {
    const made = chooseForm(before, { ...choosing, path: at }, model.memory)
    memory = made.memory
    return made.after
  }
  const asked = { ...model, memory: { ...memory, chosen: new Map(memory.chosen).set(keyOfPath(path), choice) } }
  return { ...edited(asked, path, { kind: 'rewrite', rewrite }), memory }
}

/** The entries that an edit is about, and the levels that lead there. */
interface Target {
  steps: { level: Level; index: number }[]
  level: Level
  from: number
  count: number
}

function changedInPlace(model: ValuesModel, path: Path, edit: TextEdit): ValuesModel | undefined {
  const target = model.level && targetOf(model.level, path, edit)
  if (!target) return undefined
  const { level, from, count, steps } = target
  const group = level.chunks.slice(from, from + count)
  const before = group.some(isTiedWithin) ? undefined : readAlone(group.map(textOfChunk).join(''))
  if (!before || !sameValue(before.value, valueOfLevel({ ...level, chunks: group }))) return undefined
  const above = path.slice(0, steps.length)
  const [part = '', ...rest] = path.slice(steps.length)
  const after = editField(before, [level.kind === 'list' ? Number(part) - from : part, ...rest], edit)
  // The text can stay the same when it fits both forms; the model still has to show the other one.
  if (after === before) return edit.kind === 'rewrite' ? replaced(model, target, above, before) : model
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

function targetOf(root: Level, path: Path, edit: TextEdit): Target | undefined {
  const steps: Target['steps'] = []
  let level = root
  for (const [depth, part] of path.entries()) {
    const index = level.chunks.findIndex(
      (chunk) => chunk.part === (level.kind === 'list' ? Number(part) : String(part)),
    )
    const chunk = level.chunks[index]
    const isLast = depth === path.length - 1
    // A new entry is written behind the last one.
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
  const isOfTexts = (all: readonly Chunk[]) => hasOnlyTexts(all.filter((chunk) => !isTakenChunk(model, above, chunk)))
  if (isMapOfTexts(String(above.at(-1))) && isOfTexts(level.chunks) !== isOfTexts(chunks)) return undefined
  const next = withLevel(target, { ...level, chunks })
  const [parent, before] = [shapesOf(model, next.value, above), shapesOf(model, model.value, above)]
  // Where a condition of the schema turns, other fields change with it.
  if (parent.variant !== before.variant) return undefined
  const reading = readingOf(text, document, model.schema, {
    defaults: model.defaults,
    chosen: model.memory.chosen,
    comments: { ...commentsOf(text), ofPath: model.described },
  })
  const fields = isMap(node)
    ? node.items
        .filter((pair) => !isTakenAway(reading, pair, above, parent.shape))
        .map((pair) => fieldOfPair(reading, pair, above, parent.shape))
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
  const inherited = inheritedAt(reading, above).filter(({ name }) => !entries.some(([key]) => key === name))
  const list = withLevelFields(model.fields, above, parent.choices, (siblings) =>
    withEntries(siblings, { kind: level.kind, from, gone, fields, budget: reading, shape: parent.shape, inherited }),
  )
  return list && { ...model, text: textOfLevel(whole.level), value: whole.value, level: whole.level, fields: list }
}

/** A null that takes away what the chart has. */
function isTakenChunk({ defaults }: ValuesModel, above: Path, { part, value }: Chunk): boolean {
  return value === null && defaultAt(defaults?.value, [...above, part]) !== undefined
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

function shapesOf({ schema, defaults, memory }: ValuesModel, value: unknown, path: Path) {
  return shapesOn({ schema, defaults: defaults?.value, chosen: memory.chosen }, value, path)
}
