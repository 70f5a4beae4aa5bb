import { isAlias, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import { defaultAt } from '../merge/coalesce.ts'
import type { Shape } from '../schema/schema-shape.ts'
import { blockText } from '../yaml/block-text.ts'
import { type Comments, commentsOf } from '../yaml/comments.ts'
import { valueAt } from '../yaml/plain-values.ts'
import { openYaml, plainValue, resolved, type YamlDocument, YamlRefused } from '../yaml/yaml-document.ts'
import { directivesOf } from './directives.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import { baseField, type ListField, markRequired, optionsFor, scalarType } from './field-types.ts'
import { noMemory } from './form-memory.ts'
import { type Setting, schemaOfEntry, shapeAt } from './shapes-on-path.ts'
import { type Budget, mapOf, mapOfTexts, pay, templateOf, unsetFields } from './unset-fields.ts'

type Path = readonly (string | number)[]

/** A document that fields are read from. */
interface Reading extends Budget, Setting {
  text: string
  document: YamlDocument
  comments: Comments
  /** The form of the chart's own values, which hold where the document says nothing. */
  inherited: readonly FieldConfiguration[]
}

/** Inputs for reading a document, besides its schema. */
interface Beside {
  defaults?: { value: unknown; fields: readonly FieldConfiguration[] } | undefined
  chosen?: ReadonlyMap<string, number> | undefined
  comments?: Comments | undefined
}

const maxFields = 5000

/**
 * The configuration tree of a values document, from its values, their comments and its schema. An array node holds its
 * entries as `collections` and, in `objects`, a template for the next one. A sub-tree that a form cannot show becomes a
 * field of type `yaml` whose value is its text. A text that is not YAML has no fields.
 */
export function fieldsOf(yamlText: string, schema?: unknown): FieldConfiguration[] {
  const document = tryOpen(yamlText)
  return document ? fieldsOfDocument(readingOf(yamlText, document, schema)) : []
}

function tryOpen(text: string): YamlDocument | undefined {
  try {
    const document = openYaml(text)
    plainValue(document)
    return document
  } catch (error) {
    if (error instanceof YamlRefused) return undefined
    throw error
  }
}

export function readingOf(text: string, document: YamlDocument, schema: unknown, beside: Beside = {}): Reading {
  const { defaults, chosen = noMemory.chosen, comments = commentsOf(text) } = beside
  const [inherited, value] = [defaults?.fields ?? [], defaults?.value]
  return { text, document, comments, schema, defaults: value, chosen, inherited, left: maxFields }
}

export function fieldsOfDocument(reading: Reading): FieldConfiguration[] {
  const { document, schema } = reading
  const root = resolved(document, document.contents)
  if (isMap(root)) return fieldsOfMap(reading, root, [], shapeAt(reading, schema, [], plainValue(document, root) ?? {}))
  const isEmpty = root === null || (isScalar(root) && root.value === null)
  return isEmpty ? unwritten(reading, [], shapeAt(reading, schema, [], {}), []) : []
}

/** Fields that the document does not set: those of the chart's own values, and those that only the schema knows. */
function unwritten(reading: Reading, path: Path, shape: Shape | undefined, present: readonly string[]) {
  const known = new Set(present)
  const inherited = inheritedAt(reading, path).filter(({ name }) => !known.has(name ?? ''))
  const names = [...present, ...inherited.map(({ name }) => name ?? '')]
  return [...inherited, ...unsetFields(reading, names, shape)]
}

/** The fields of what the chart has of its own below a path. */
export function inheritedAt({ inherited, defaults }: Reading, path: Path): readonly FieldConfiguration[] {
  let fields = inherited
  for (const part of path) fields = fields.find(({ name, type }) => name === part && type === 'object')?.objects ?? []
  const own = fields.length === 0 ? undefined : defaultAt(defaults, path)
  return fields.filter(({ name }) => valueAt(own, [name ?? '']) !== undefined)
}

function fieldsOfMap(reading: Reading, map: YAMLMap, path: Path, shape: Shape | undefined): FieldConfiguration[] {
  const byName = new Map<string, Pair>()
  for (const pair of map.items) {
    const name = nameOf(pair)
    if (name !== undefined && name !== '<<') byName.set(name, pair)
  }
  const shown = [...byName.values()].filter((pair) => !isTakenAway(reading, pair, path, shape))
  const fields = shown.map((pair) => fieldOfPair(reading, pair, path, shape))
  return [...fields, ...unwritten(reading, path, shape, [...byName.keys()])]
}

/** A null by which the chart's own value is taken away, where there is nothing else to say: no field is left of it. */
export function isTakenAway(reading: Reading, pair: Pair, above: Path, parent: Shape | undefined): boolean {
  const name = nameOf(pair) ?? ''
  if (!isNothing(resolved(reading.document, pair.value))) return false
  if (defaultAt(reading.defaults, [...above, name]) === undefined) return false
  if (parent && Object.hasOwn(parent.properties, name) && !parent.isForbidden(name)) return false
  // A form that was chosen leaves out what only another one knows.
  const isOfOther = parent?.isForbidden(name) === true || (parent?.choices.length ?? 0) > 1
  return isOfOther || parent?.entries !== undefined || isMapOfTexts(String(above.at(-1)))
}

function isNothing(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null)
}

export function nameOf(pair: Pair): string | undefined {
  if (!isScalar(pair.key)) return undefined
  const { value } = pair.key
  // The parser has a symbol for the key that merges another map in.
  return typeof value === 'symbol' ? value.description : String(value ?? '')
}

/** The field of one entry of the map at `above`, whose shape is `parent`. */
export function fieldOfPair(reading: Reading, pair: Pair, above: Path, parent: Shape | undefined): FieldConfiguration {
  const name = nameOf(pair) ?? ''
  const path = [...above, name]
  const shape = shapeOfNode(reading, schemaOfEntry(parent, name), path, pair.value)
  const comments = commentsOfPair(reading, pair, path, shape)
  const isRequired = parent?.required.includes(name) === true
  const field = fieldOfNode(reading, { node: pair.value, name, path, shape, comments, isRequired })
  if (isRequired) markRequired(field)
  return field
}

function shapeOfNode(reading: Reading, schema: unknown, path: Path, node: unknown): Shape | undefined {
  return schema === undefined ? undefined : shapeAt(reading, schema, path, plainValue(reading.document, node))
}

function commentsOfPair(reading: Reading, pair: Pair, path: Path, shape: Shape | undefined): string[] {
  const key = isNode(pair.key) ? pair.key.range : undefined
  const besideAt = endOfInline(pair.value) ?? (key ? key[1] + 1 : undefined)
  // A description given for this path comes first, because it is the most exact one and a form shows only the
  // beginning.
  const above = [...reading.comments.ofPath(path), ...(key ? reading.comments.above(key[0]) : [])]
  const beside = besideAt === undefined ? [] : reading.comments.beside(besideAt)
  // Lines above are one text; what stands beside is another, and does not go on with it.
  const isApart = directivesOf(above).text.length > 0
  const found = [...above, ...beside.map((line) => (isApart && !line.startsWith('@') ? `· ${line}` : line))]
  return found.length === 0 && shape?.description ? [shape.description] : found
}

/** Where a value that stands behind its key ends; undefined when it is empty or begins on the next line. */
function endOfInline(value: unknown): number | undefined {
  if (!isNode(value) || !value.range || isBlockCollection(value)) return undefined
  if (isScalar(value) && value.type?.startsWith('BLOCK')) return undefined
  return value.range[1] > value.range[0] ? value.range[1] : undefined
}

function isBlockCollection(node: unknown): node is YAMLMap | YAMLSeq {
  return (isMap(node) || isSeq(node)) && node.flow !== true
}

interface Subject {
  node: unknown
  name: string | null
  path: Path
  shape: Shape | undefined
  comments: string[]
  isRequired?: boolean
}

function fieldOfNode(reading: Reading, subject: Subject): FieldConfiguration {
  reading.left -= 1
  const { node, name, shape, comments } = subject
  if (shape) pay(reading, shape)
  const field: FieldConfiguration = { ...baseField(name, shape, comments), type: 'yaml' }
  if (reading.left <= 0) return asYaml(reading, field, node)
  const target = resolved(reading.document, node)
  if (isMap(target) && !isAlias(node)) return asObject(reading, field, target, subject)
  if (isSeq(target) && !isAlias(node)) return asArray(reading, field, target, subject)
  if (isNothing(target)) return asNothing(reading, field, subject)
  return isScalar(target) ? asScalar(reading, field, node, subject) : asYaml(reading, field, node)
}

const mapsOfTexts = /^(?:annotations|labels|nodeSelector|matchLabels|\w+(?:Annotations|Labels|NodeSelector))$/
/** Tells whether a map of this name holds texts under names of one's own, whatever is in it. */
export function isMapOfTexts(name: string): boolean {
  return mapsOfTexts.test(name)
}

const freeMaps = /^(?:affinity|\w+Affinity)$/

function asObject(reading: Reading, field: FieldConfiguration, map: YAMLMap, subject: Subject): FieldConfiguration {
  const { name, shape, path } = subject
  const isKnown = Object.keys(shape?.properties ?? {}).length > 0
  const own = map.items.filter((pair) => !isTakenAway(reading, pair, path, shape))
  const texts = !isKnown && isMapOfTexts(name ?? '') && own.every(isTextEntry) ? mapOfTexts : undefined
  const entries = mapOf(reading, shape) ?? texts
  const isEmpty = map.items.length === 0 && inheritedAt(reading, path).length === 0
  const isFree = !isKnown && !entries && (isEmpty || freeMaps.test(name ?? ''))
  if (isFree || map.items.some((pair) => !isScalar(pair.key))) return asYaml(reading, field, map)
  const objects = fieldsOfMap(reading, map, path, shape)
  return { ...field, type: 'object', objects, ...(entries ? { map: entries } : {}) }
}

function isTextEntry(pair: Pair): boolean {
  return isScalar(pair.value) && typeof pair.value.value === 'string'
}

/** A list that a form can show: all entries scalars of one type, or all of them objects. */
function isUniform(list: YAMLSeq): boolean {
  const kinds = new Set(
    list.items.map((item) => (isMap(item) ? 'object' : isScalar(item) ? typeof item.value : 'other')),
  )
  const [kind] = kinds
  return kinds.size === 1 && kind !== 'other' && !list.items.some((item) => isScalar(item) && item.value === null)
}

function asArray(reading: Reading, field: FieldConfiguration, list: YAMLSeq, subject: Subject): FieldConfiguration {
  const items = subject.shape?.items
  if (list.items.length > 0 && items === undefined && !isUniform(list)) return asYaml(reading, field, list)
  const entries = list.items.map((_, index) => fieldOfItem(reading, list, index, subject.path, subject.shape))
  if (entries.some((entry) => entry.type === 'yaml')) return asYaml(reading, field, list)
  const template = templateOf(reading, items) ?? (entries[0] && emptied(entries[0]))
  return template
    ? { ...field, type: 'array', collections: entries, objects: [template] }
    : asYaml(reading, field, list)
}

/** The field of one entry of the list at `above`, whose shape is `parent`. */
export function fieldOfItem(
  reading: Reading,
  list: YAMLSeq,
  at: number,
  above: Path,
  parent: Shape | undefined,
  index = at,
): FieldConfiguration {
  const node = list.items[at]
  const path = [...above, index]
  const shape = shapeOfNode(reading, parent?.items, path, node)
  return fieldOfNode(reading, { node, name: null, path, shape, comments: [] })
}

function emptied(entry: FieldConfiguration): FieldConfiguration {
  const { value: _, ...rest } = entry
  return { ...rest, objects: entry.objects.map(emptied), collections: [] }
}

/** Nothing is there: the schema alone says what could be. */
function asNothing(reading: Reading, field: FieldConfiguration, subject: Subject): FieldConfiguration {
  const { shape, node, isRequired = false } = subject
  if (shape?.type === 'object') {
    const map = mapOf(reading, shape)
    const objects = unsetFields(reading, [], shape, 0, isRequired ? 'here' : 'not yet')
    if (map || objects.length > 0) return { ...field, type: 'object', objects, ...(map ? { map } : {}) }
  }
  const template = shape?.type === 'array' ? templateOf(reading, shape.items) : undefined
  if (!template) return asScalar(reading, field, node, subject)
  const list: ListField = { ...field, type: 'array', objects: [template], isUnset: true }
  return list
}

function asScalar(reading: Reading, field: FieldConfiguration, node: unknown, subject: Subject): FieldConfiguration {
  const value = plainValue(reading.document, node)
  const directives = directivesOf(subject.comments)
  const type = scalarType(value, subject.name, subject.shape, directives)
  if (type === 'yaml') return asYaml(reading, field, node)
  const options = optionsFor(type, value, subject.shape, directives)
  const notation = type === 'number' && isScalar(node) && node.source !== String(value) ? node.source : undefined
  return { ...field, type, value, ...(options ? { options } : {}), ...(notation ? { notation } : {}) }
}

function asYaml(reading: Reading, field: FieldConfiguration, node: unknown): FieldConfiguration {
  return { ...field, type: 'yaml', value: blockText(reading.text, reading.document, node) }
}
