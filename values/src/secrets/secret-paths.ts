import { isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml'
import { directivesOf } from '../form/directives.ts'
import { type Comments, commentsOf } from '../yaml/comments.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import { openYaml, resolved, type YamlDocument } from '../yaml/yaml-document.ts'
import type { SecretPath } from './secret-walk.ts'

/** Where a values document and its schema say that there are secrets: `@MASKED`, writeOnly, format password. */
export function secretPathsOf(yamlText: string, schema?: unknown): SecretPath[] {
  const found = new Map<string, SecretPath>()
  const add = (path: SecretPath) => found.set(JSON.stringify(path), path)
  const document = openYaml(yamlText)
  const root = resolved(document, document.contents)
  if (root) inText({ document, comments: commentsOf(yamlText), add }, root, [])
  if (schema) inSchema({ root: schema, add, left: maxSteps }, schema, [], 0)
  return [...found.values()]
}

interface Reading {
  document: YamlDocument
  comments: Comments
  add(path: SecretPath): void
}

function inText(reading: Reading, node: Node, path: SecretPath): void {
  if (isSeq(node)) for (const item of node.items) if (isNode(item)) inText(reading, item, [...path, '*'])
  if (!isMap(node)) return
  for (const pair of node.items) {
    if (!isScalar(pair.key)) continue
    const inner = [...path, String(pair.key.value ?? '')]
    if (isMasked(reading.comments, pair)) reading.add(inner)
    else if (isNode(pair.value)) inText(reading, pair.value, inner)
  }
}

function isMasked(comments: Comments, { key, value }: Pair): boolean {
  const keyRange = isNode(key) ? key.range : undefined
  const isBlock = (isMap(value) || isSeq(value)) && value.flow !== true
  const isText = isScalar(value) && (value.type?.startsWith('BLOCK') ?? false)
  const end =
    isNode(value) && value.range && !isBlock && !isText && value.range[1] > value.range[0] ? value.range[1] : undefined
  const beside = end ?? (keyRange ? keyRange[1] + 1 : undefined)
  const said = [
    ...(keyRange ? comments.above(keyRange[0]) : []),
    ...(beside === undefined ? [] : comments.beside(beside)),
  ]
  return directivesOf(said).masked
}

const maxSteps = 20_000
const maxDepth = 24

interface Walk {
  root: unknown
  add(path: SecretPath): void
  left: number
}

/** Every branch counts: what is secret in one form of a value is secret in all of them. */
function inSchema(walk: Walk, schema: unknown, path: SecretPath, depth: number): void {
  walk.left -= 1
  if (!isRecord(schema) || depth > maxDepth || walk.left <= 0) return
  const { description } = schema
  const isSaid = typeof description === 'string' && directivesOf(description.split('\n')).masked
  if (schema.writeOnly === true || schema.format === 'password' || isSaid) {
    walk.add(path)
    return
  }
  for (const reference of [schema.$ref, schema.$dynamicRef])
    if (typeof reference === 'string') inSchema(walk, pointed(walk.root, reference), path, depth + 1)
  for (const part of [schema.allOf, schema.anyOf, schema.oneOf, schema.if, schema.then, schema.else].flat())
    inSchema(walk, part, path, depth + 1)
  for (const [name, inner] of entriesOf(schema.properties)) inSchema(walk, inner, [...path, name], depth + 1)
  const free = [schema.items, schema.prefixItems, schema.additionalProperties, schema.contains].flat()
  for (const inner of [...free, ...entriesOf(schema.patternProperties).map(([, each]) => each)])
    inSchema(walk, inner, [...path, '*'], depth + 1)
  for (const [, inner] of entriesOf(schema.dependentSchemas)) inSchema(walk, inner, path, depth + 1)
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

function pointed(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  return reference
    .slice(1)
    .split('/')
    .filter(Boolean)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, key) => (isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined), root)
}
