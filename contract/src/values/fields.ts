import { isAlias, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import type { FieldConfiguration } from '../deployment.ts'
import { blockText } from './block-text.ts'
import { type Comments, commentsOf } from './comments.ts'
import { type Directives, directivesOf } from './directives.ts'
import { type Shape, shapeOf } from './schema-shape.ts'
import { openYaml, plainValue, resolved, type YamlDocument, YamlRefused } from './yaml-document.ts'

type Path = readonly (string | number)[]

interface Reading {
  text: string
  document: YamlDocument
  comments: Comments
  schema: unknown
  /** How many more fields are made; what comes later is shown as YAML. */
  budget: number
}

const maxFields = 5000

/**
 * The configuration tree of a values document: what its values, their comments and its schema say together. An array
 * node holds its entries as `collections` and, in `objects`, a template for the next one. What a form cannot show
 * becomes a field of type `yaml` whose value is the text of that sub-tree. A text that is not YAML has no fields.
 */
export function fieldsOf(yamlText: string, schema?: unknown): FieldConfiguration[] {
  const document = tryOpen(yamlText)
  if (!document) return []
  const reading = { text: yamlText, document, comments: commentsOf(yamlText), schema, budget: maxFields }
  const root = resolved(document, document.contents)
  if (isMap(root)) return fieldsOfMap(reading, root, [], shapeOf(schema, schema))
  return root === null || (isScalar(root) && root.value === null)
    ? unsetFields(reading, [], shapeOf(schema, schema))
    : []
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

function fieldsOfMap(reading: Reading, map: YAMLMap, path: Path, shape: Shape | undefined): FieldConfiguration[] {
  const byName = new Map<string, Pair>()
  for (const pair of map.items) {
    const name = nameOf(pair)
    if (name !== undefined && name !== '<<') byName.set(name, pair)
  }
  const fields = [...byName].map(([name, pair]) => fieldOfPair(reading, pair, [...path, name], shape))
  return [...fields, ...unsetFields(reading, [...byName.keys()], shape)]
}

function nameOf(pair: Pair): string | undefined {
  return isScalar(pair.key) ? String(pair.key.value ?? '') : undefined
}

function fieldOfPair(reading: Reading, pair: Pair, path: Path, parent: Shape | undefined): FieldConfiguration {
  const name = String(path.at(-1))
  const shape = parent && shapeOf(ownProperty(parent.properties, name), reading.schema)
  const comments = commentsOfPair(reading, pair, path, shape)
  const field = fieldOfNode(reading, { node: pair.value, name, path, shape, comments })
  if (parent?.required.includes(name)) {
    field.required = true
    field.validations = [{ name: 'required', validator: true, message: 'Required' }, ...(field.validations ?? [])]
  }
  return field
}

function ownProperty(properties: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}

function commentsOfPair(reading: Reading, pair: Pair, path: Path, shape: Shape | undefined): string[] {
  const key = isNode(pair.key) ? pair.key.range : undefined
  const besideAt = endOfInline(pair.value) ?? (key ? key[1] + 1 : undefined)
  const found = [
    ...(key ? reading.comments.above(key[0]) : []),
    ...(besideAt === undefined ? [] : reading.comments.beside(besideAt)),
    ...reading.comments.ofPath(path),
  ]
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
}

function fieldOfNode(reading: Reading, subject: Subject): FieldConfiguration {
  reading.budget -= 1
  const { node, name, shape, comments } = subject
  const field: FieldConfiguration = {
    label: name === null ? null : (shape?.title ?? humanised(name)),
    name,
    type: 'yaml',
    objects: [],
    collections: [],
    comments,
    ...(shape?.default === undefined ? {} : { defaultValue: shape.default }),
    ...(shape && shape.validations.length > 0 ? { validations: shape.validations } : {}),
  }
  const target = resolved(reading.document, node)
  const isShared = isAlias(node)
  if (reading.budget <= 0) return asYaml(reading, field, node)
  if (isMap(target) && !isShared && !isFreeMap(target, name, shape)) {
    return { ...field, type: 'object', objects: fieldsOfMap(reading, target, subject.path, shape) }
  }
  if (isSeq(target) && !isShared && isUniform(target, shape)) return asArray(reading, field, target, subject)
  if (isScalar(target) || target === null) return asScalar(reading, field, node, subject)
  return asYaml(reading, field, node)
}

const freeMaps =
  /^(?:annotations|labels|nodeSelector|affinity|matchLabels|(?:\w+)(?:Annotations|Labels|NodeSelector|Affinity))$/

function isFreeMap(map: YAMLMap, name: string | null, shape: Shape | undefined): boolean {
  if (map.items.some((pair) => !isScalar(pair.key))) return true
  if (shape && Object.keys(shape.properties).length > 0) return false
  return map.items.length === 0 || shape?.isOpen === true || freeMaps.test(name ?? '')
}

/** A list that a form can show: all entries scalars of one type, or all of them objects. */
function isUniform(list: YAMLSeq, shape: Shape | undefined): boolean {
  if (shape?.isOpen) return false
  if (list.items.length === 0) return shape?.items !== undefined
  const kinds = new Set(
    list.items.map((item) => (isMap(item) ? 'object' : isScalar(item) ? typeof item.value : 'other')),
  )
  const [kind] = kinds
  return kinds.size === 1 && kind !== 'other' && !list.items.some((item) => isScalar(item) && item.value === null)
}

function asArray(reading: Reading, field: FieldConfiguration, list: YAMLSeq, subject: Subject): FieldConfiguration {
  const shape = subject.shape && shapeOf(subject.shape.items, reading.schema)
  const entries = list.items.map((node, index) =>
    fieldOfNode(reading, { node, name: null, path: [...subject.path, index], shape, comments: [] }),
  )
  if (entries.some((entry) => entry.type === 'yaml')) return asYaml(reading, field, list)
  const template = entries[0] ? emptied(entries[0]) : templateOf(reading, shape)
  if (!template) return asYaml(reading, field, list)
  return { ...field, type: 'array', collections: entries, objects: [template] }
}

function emptied(entry: FieldConfiguration): FieldConfiguration {
  const { value: _, ...rest } = entry
  return { ...rest, objects: entry.objects.map(emptied), collections: [] }
}

function templateOf(reading: Reading, shape: Shape | undefined): FieldConfiguration | undefined {
  if (!shape) return undefined
  const type = scalarType(undefined, null, shape, directivesOf([]))
  const base = { label: null, name: null, objects: [], collections: [], comments: [] }
  if (type !== 'yaml') return { ...base, type, ...(shape.options ? { options: shape.options } : {}) }
  const objects = unsetFields(reading, [], shape)
  return objects.length > 0 ? { ...base, type: 'object', objects } : undefined
}

function asScalar(reading: Reading, field: FieldConfiguration, node: unknown, subject: Subject): FieldConfiguration {
  const value = plainValue(reading.document, node)
  const directives = directivesOf(subject.comments)
  const type = scalarType(value, subject.name, subject.shape, directives)
  if (type === 'yaml') return asYaml(reading, field, node)
  const options = optionsFor(value, subject.shape, directives)
  return { ...field, type, value, ...(options && (type === 'select' || type === 'radiobutton') ? { options } : {}) }
}

function optionsFor(value: unknown, shape: Shape | undefined, directives: Directives): FieldConfiguration['options'] {
  if (!directives.select) return shape?.options
  const typed = (choice: string): unknown => {
    if (typeof value === 'number' && choice !== '' && Number.isFinite(Number(choice))) return Number(choice)
    return typeof value === 'boolean' && /^(?:true|false)$/.test(choice) ? choice === 'true' : choice
  }
  return directives.select.map((label) => ({ value: typed(label), label }))
}

const secretName = /(?:password|passwd|passphrase|secretkey|apikey|accesstoken|authtoken)$/i

function scalarType(value: unknown, name: string | null, shape: Shape | undefined, directives: Directives): string {
  if (directives.storageClass) return 'storageClass'
  if (directives.registrySecret) return 'registrySecret'
  if (directives.select) return 'select'
  if (shape?.options) return shape.isRadio ? 'radiobutton' : 'select'
  const isText = typeof value === 'string' || shape?.type === 'string'
  if (directives.masked || (isText && (shape?.isSecret || secretName.test(name ?? '')))) return 'password'
  if (isText && shape?.isDate) return 'date'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'number' || typeof value === 'bigint') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return schemaTypes[shape?.type ?? ''] ?? 'yaml'
}

const schemaTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}

function asYaml(reading: Reading, field: FieldConfiguration, node: unknown): FieldConfiguration {
  return { ...field, type: 'yaml', value: blockText(reading.text, reading.document, node) }
}

/** Simple fields that the schema knows and the document does not set. */
function unsetFields(reading: Reading, present: readonly string[], shape: Shape | undefined): FieldConfiguration[] {
  if (!shape) return []
  const known = new Set(present)
  return Object.entries(shape.properties)
    .filter(([name]) => !known.has(name))
    .map(([name, schema]) => ({ name, inner: shapeOf(schema, reading.schema) }))
    .filter(({ inner }) => inner !== undefined && scalarType(undefined, null, inner, directivesOf([])) !== 'yaml')
    .slice(0, Math.max(0, Math.min(200, reading.budget)))
    .map(({ name, inner }) => {
      const comments = inner?.description ? [inner.description] : []
      const field = fieldOfNode(reading, { node: null, name, path: [name], shape: inner, comments })
      return { ...field, value: undefined, ...(shape.required.includes(name) ? { required: true } : {}) }
    })
}

/** `storageClassName` becomes `Storage Class Name`. */
function humanised(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')
  return words.trim().replace(/(^|\s)([a-z])/g, (_, space: string, letter: string) => space + letter.toUpperCase())
}
