import {
  type Document,
  isAlias,
  isCollection,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type ScalarTag,
  visit,
} from 'yaml'
import { guardYaml, type YamlLimits, type YamlProblem, yamlLimits } from './yaml-guard.ts'

/** Thrown when a text cannot be read as YAML; says why and on which line. */
export class YamlRefused extends Error {
  override name = 'YamlRefused'
  readonly problem: YamlProblem

  constructor(problem: YamlProblem) {
    super(problem.line ? `line ${problem.line}: ${problem.message}` : problem.message)
    this.problem = problem
  }
}

export type YamlDocument = Document.Parsed

// Helm reads YAML with these habits of version 1.1; reading it otherwise would show people another value than
// their chart gets.
const oldBooleans: ScalarTag = {
  identify: (value) => typeof value === 'boolean',
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:[Yy]|[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON|[Nn]|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
  resolve: (text) => /^(?:y|yes|true|on)$/i.test(text),
}
const oldOctals: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^[-+]?0[0-7]+$/,
  resolve: (text) => Number.parseInt(text, 8),
}
const oldIntegers: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^[-+]?(?:0b[01]+|[1-9][0-9]*_[0-9_]*)$/,
  resolve: (text) => Number(text.replaceAll('_', '')),
}

/** Parses within the limits, or throws YamlRefused; of several documents Helm would make one, so they are refused. */
export function openYaml(text: string, limits: YamlLimits = yamlLimits): YamlDocument {
  const problem = guardYaml(text, limits)
  if (problem) throw new YamlRefused(problem)
  const lines = new LineCounter()
  const document = parseDocument(text, {
    customTags: (tags) => [oldBooleans, oldOctals, oldIntegers, ...tags],
    keepSourceTokens: true,
    lineCounter: lines,
    logLevel: 'silent',
    merge: true,
    prettyErrors: false,
    resolveKnownTags: false,
    // Comparing every key with every other takes minutes on a large map; the last of two equal keys counts.
    uniqueKeys: false,
  })
  const [error] = document.errors
  if (error) throw new YamlRefused({ kind: 'invalid', message: error.message, line: lines.linePos(error.pos[0]).line })
  const end = document.range[2]
  if (!isEmptyFrom(text, end))
    throw new YamlRefused({ kind: 'invalid', message: severalDocuments, line: lines.linePos(end).line })
  return document
}

const severalDocuments = 'There is more than one document in it; write them as one.'

/** Tells whether nothing but markers of documents and comments comes from an offset on. */
function isEmptyFrom(text: string, offset: number): boolean {
  const lines = text.slice(offset).split('\n')
  return lines.every((line) => /^(?:---|\.\.\.)?\s*(?:#.*)?$/.test(line))
}

/** The plain value of a document, or of a node in it. */
export function plainValue(document: YamlDocument, node: unknown = document.contents): unknown {
  if (!isNode(node)) return null
  try {
    if (expandedSize(document, node) > maxExpanded) throw new Error('Its aliases make it too large.')
    return withoutTraps(node.toJS(document, { maxAliasCount: yamlLimits.maxAliases }))
  } catch (error) {
    throw new YamlRefused({ kind: 'invalid', message: error instanceof Error ? error.message : 'It cannot be read.' })
  }
}

const traps = new Set(['__proto__', 'constructor', 'prototype'])
const maxExpanded = 500_000

/** How many values a node holds once every alias in it is written out; 0 when it has none. */
function expandedSize(document: YamlDocument, node: Node): number {
  let hasAlias = false
  visit(node, {
    Alias: () => {
      hasAlias = true
      return visit.BREAK
    },
  })
  if (!hasAlias) return 0
  const known = new Map<unknown, number>()
  const sizeOf = (one: unknown): number => {
    const before = known.get(one)
    if (before !== undefined) return before
    // Set first: a node that holds itself has no end.
    known.set(one, Number.POSITIVE_INFINITY)
    let size = 1
    if (isAlias(one)) size += sizeOf(one.resolve(document))
    else if (isPair(one)) size += sizeOf(one.value)
    else if (isCollection(one)) for (const item of one.items) size += sizeOf(item)
    known.set(one, size)
    return size
  }
  return sizeOf(node)
}

/** Copies a value without keys that could reach a prototype when it is merged; what aliases share is copied once. */
function withoutTraps(value: unknown): unknown {
  const copies = new Map<object, unknown>()
  function copyOf(one: unknown): unknown {
    if (typeof one !== 'object' || one === null) return one
    const known = copies.get(one)
    if (known) return known
    const copy = Array.isArray(one) ? one.map(copyOf) : copyRecord(one, copyOf)
    copies.set(one, copy)
    return copy
  }
  return copyOf(value)
}

function copyRecord(record: object, add: (inner: unknown) => unknown): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(record)) if (!traps.has(key)) copy[key] = add(inner)
  return copy
}

/** Refuses names that are left out here and that Helm keeps: what it would render is not what was looked at. */
export function refuseTraps(text: string): void {
  // A backslash may spell one of them in another way.
  if (!/__proto__|constructor|prototype|\\/.test(text)) return
  const document = openYaml(text)
  visit(document, {
    Pair: (_, { key }) => {
      const name = resolved(document, key)
      if (!isScalar(name) || !traps.has(String(name.value))) return
      const line = text.slice(0, name.range?.[0] ?? 0).split('\n').length
      throw new YamlRefused({
        kind: 'invalid',
        message: `${name.value} cannot be a name in values: programs have a meaning of their own for it. Use another name.`,
        line,
      })
    },
  })
}

/** The node itself, or what an alias stands for. */
export function resolved(document: YamlDocument, node: unknown): Node | null {
  if (isAlias(node)) return node.resolve(document) ?? null
  return isNode(node) ? node : null
}

/** A text with what was read from it; none of it is ever changed. */
export interface OpenText {
  readonly text: string
  readonly document: YamlDocument
  readonly value: unknown
}

/** Reads a text within the limits, or throws YamlRefused. */
export function openText(text: string): OpenText {
  const document = openYaml(text)
  return { text, document, value: plainValue(document) }
}

/** Reads a text as a plain value, or throws YamlRefused. */
export function readYamlValue(text: string, limits: YamlLimits = yamlLimits): unknown {
  return plainValue(openYaml(text, limits))
}

/** Syntax error in a YAML text; undefined when it has none. */
export function yamlProblem(text: string): YamlProblem | undefined {
  try {
    readYamlValue(text)
    return undefined
  } catch (error) {
    if (error instanceof YamlRefused) return error.problem
    throw error
  }
}
