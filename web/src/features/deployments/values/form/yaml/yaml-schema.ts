import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import { schemaOfEntry } from '@quayside/values/form/shapes-on-path'
import { type Shape, shapeOf } from '@quayside/values/schema/schema-shape'
import { secretMark } from '@quayside/values/secrets/secret-mark'
import { scalarText } from '@quayside/values/yaml/scalar-text'
import type { Knowledge } from './value-facts.ts'
import { placeIn, type YamlPlace } from './yaml-path.ts'

/** The facts about a path, from the schema and from the chart's own values with their comments. */
interface KnownPlace {
  shape: Shape | undefined
  value: unknown
  comments: readonly string[]
  isSecret: boolean
}

export function placeOf(state: EditorState, at: number): YamlPlace {
  const line = state.doc.lineAt(at)
  return placeIn((index) => state.doc.line(index + 1).text, line.number - 1, at - line.from)
}

export function knownAt(knowledge: Knowledge, path: readonly (string | number)[]): KnownPlace {
  const { schema, defaults, commentsOf, isSecret } = knowledge
  let shape = shapeOf(schema, schema, asShown(defaults))
  let value = defaults
  for (const part of path) {
    value = entryOf(value, part)
    const inner = schemaOfEntry(shape, part)
    shape = inner === undefined ? undefined : shapeOf(inner, schema, asShown(value))
  }
  return { shape, value, comments: commentsOf(path.join('.')), isSecret: isSecret(path) }
}

const asShown = (value: unknown) => (value === null ? undefined : value)

function entryOf(value: unknown, part: string | number): unknown {
  if (Array.isArray(value)) return typeof part === 'number' ? value[part] : undefined
  return isRecord(value) && Object.hasOwn(value, String(part)) ? value[String(part)] : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Completes names that may stand here and are not there yet, and values that the schema lists. */
export function completions(knowledge: () => Knowledge) {
  return (context: CompletionContext): CompletionResult | null => {
    const place = placeOf(context.state, context.pos)
    if (!context.explicit && place.word === '') return null
    const from = context.state.doc.lineAt(context.pos).from + place.from
    const options = place.isValue
      ? valuesAt(knownAt(knowledge(), place.path))
      : namesAt(knowledge(), place, siblingsOf(context.state, context.pos))
    return options.length === 0 ? null : { from, options, validFor: /^[\w./-]*$/ }
  }
}

function namesAt(knowledge: Knowledge, { path, word }: YamlPlace, present: ReadonlySet<string>): Completion[] {
  // A name that is being typed without its colon is no part of the path yet.
  const above = path.at(-1) === word.trim() ? path.slice(0, -1) : path
  const { shape, value } = knownAt(knowledge, above)
  const names = new Set([...Object.keys(shape?.properties ?? {}), ...(isRecord(value) ? Object.keys(value) : [])])
  return [...names]
    .filter((name) => !present.has(name))
    .map((name): Completion => {
      const known = knownAt(knowledge, [...above, name])
      const isInner = known.shape?.type === 'object' || known.shape?.type === 'array' || isRecord(known.value)
      return {
        label: name,
        type: 'property',
        detail: known.shape?.type ?? typeName(known.value),
        info: wordsOf(known).join('\n') || undefined,
        apply: `${scalarText(name)}:${isInner ? '' : ' '}`,
        boost: shape?.required.includes(name) ? 1 : 0,
      } as Completion
    })
}

function valuesAt({ shape, value, isSecret }: KnownPlace): Completion[] {
  const listed = shape?.options ?? []
  const constant = shape?.constant ? [shape.constant] : []
  const both = shape?.type === 'boolean' || typeof value === 'boolean' ? [{ value: true }, { value: false }] : []
  const known = [...listed, ...constant, ...both]
  const starts = isSecret ? [] : [shape?.default, value]
  const own = starts.filter((one) => one !== undefined && one !== null && one !== secretMark && typeof one !== 'object')
  const texts = new Map([...known.map((one) => one.value), ...own].map((one) => [scalarText(one), one]))
  return [...texts].map(([label, one]) => ({
    label,
    type: 'constant',
    ...(one === shape?.default || one === value ? { detail: 'default' } : {}),
  }))
}

/** The names that stand beside a place already. */
function siblingsOf(state: EditorState, at: number): Set<string> {
  const line = state.doc.lineAt(at)
  const { path } = placeOf(state, at)
  const indent = /^\s*(?:- +)*/.exec(line.text)?.[0].length ?? 0
  const found = new Set<string>()
  for (const step of [-1, 1]) {
    for (let index = line.number + step; index >= 1 && index <= state.doc.lines; index += step) {
      const { text } = state.doc.line(index)
      const own = /^\s*/.exec(text)?.[0].length ?? 0
      if (text.trim() === '' || text.trim().startsWith('#')) continue
      if (own < indent && !/^\s*- /.test(text)) break
      const [, name] = /^\s*(?:- +)*["']?([^"':#]+)["']?\s*:/.exec(text) ?? []
      const column = /^\s*(?:- +)*/.exec(text)?.[0].length ?? 0
      if (name !== undefined && column === indent) found.add(name)
      if (own < indent) break
    }
  }
  const own = path.at(-1)
  if (typeof own === 'string') found.delete(own)
  return found
}

/** The tooltip's lines for a path: title, description, comments, type, options, limits and default. */
export function wordsOf({ shape, value, comments, isSecret }: KnownPlace): string[] {
  const type = shape?.choices.length
    ? shape.choices.map(({ label }) => label).join(' or ')
    : (shape?.type ?? typeName(value))
  const options = shape?.options?.slice(0, 20).map(({ value: one }) => scalarText(one))
  const start = shape?.default ?? (typeof value === 'object' ? undefined : value)
  return [
    shape?.title,
    shape?.description,
    ...comments.filter((line) => !line.startsWith('@') && line !== shape?.description),
    type && `Type: ${type}`,
    options && `One of: ${options.join(', ')}`,
    ...(shape?.validations.map(({ message }) => message) ?? []),
    start === undefined || isSecret ? undefined : `Default: ${scalarText(start)}`,
  ].filter((line): line is string => line !== undefined && line !== '')
}

function typeName(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return Array.isArray(value) ? 'array' : typeof value
}
