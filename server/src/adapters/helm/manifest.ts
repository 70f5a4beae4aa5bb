import {
  Document,
  isAlias,
  isNode,
  isPair,
  isScalar,
  type Node,
  type Pair,
  parseAllDocuments,
  type ScalarTag,
  type Tags,
  visit,
} from 'yaml'

/** An object that a chart rendered, as far as it can be trusted to have a shape. */
export interface ManifestObject {
  apiVersion: string
  kind: string
  name: string
  /** The namespace written in the manifest; undefined means the namespace of the release. */
  namespace: string | undefined
  body: Record<string, unknown>
  /** The chart's file that it comes from, where Helm tells. */
  source?: string
  /** It was an item of a list. */
  listed?: true
  /**
   * Helm reads this document and our stricter reader could not, or could read it in another way, as with tags such as
   * `!!binary`: kind and name are what its text says, the body is empty. Good enough to find the object in a cluster, never to judge it.
   */
  unreadable?: true
}

export class ManifestUnreadableError extends Error {
  override name = 'ManifestUnreadableError'
}

const maxManifest = 32 * 1024 * 1024
const maxObjects = 5000
const maxOpenBrackets = 2000
const longestSource = 300

/** The objects of a rendered manifest, in its order, items of lists one by one. */
export function readManifest(manifest: string): ManifestObject[] {
  if (manifest.length > maxManifest) throw new ManifestUnreadableError('The manifest is larger than 32 MiB.')
  const objects: ManifestObject[] = []
  let source: string | undefined
  for (const part of manifest.split(betweenDocuments)) {
    // Helm names a file of definitions once, however many documents it has, and even when the first one is empty.
    source = /^\s*# Source: (\S[^\n]*)/.exec(part)?.[1]?.trim().slice(0, longestSource) ?? source
    if (!saysSomething(part)) continue
    for (const object of objectsOf(part)) objects.push(source ? { ...object, source } : object)
    if (objects.length > maxObjects)
      throw new ManifestUnreadableError(`The manifest has more than ${maxObjects} objects.`)
  }
  return objects
}

function objectsOf(part: string): ManifestObject[] {
  try {
    return documentsOf(part, {}).flatMap(({ value, isPlain }) => {
      const objects = flatten([value])
      return isPlain ? objects : objects.map((object) => ({ ...object, body: {}, unreadable: true as const }))
    })
  } catch (error) {
    const named = namedIn(part)
    if (!named) throw error
    return [named]
  }
}

/** The object that a document's plain lines name, when they do. */
function namedIn(part: string): ManifestObject | undefined {
  const field = (pattern: RegExp) => pattern.exec(part)?.[1]
  const apiVersion = field(/^apiVersion: *["']?([\w./-]+)["']? *$/m)
  const kind = field(/^kind: *["']?(\w+)["']? *$/m)
  const metadata = field(/^metadata: *\n((?: +.*\n?)+)/m) ?? ''
  const name = /^ {2}name: *["']?([\w.-]+)["']? *$/m.exec(metadata)?.[1]
  const namespace = /^ {2}namespace: *["']?([\w.-]+)["']? *$/m.exec(metadata)?.[1]
  if (!apiVersion || !kind || !name) return undefined
  return { apiVersion, kind, name, namespace, body: {}, unreadable: true }
}

/**
 * A manifest with every document printed from the values that `readManifest` sees in it, integers to the last digit.
 * Two readers of YAML can differ on the same text; on this they do not, so Helm applies what was read here.
 * @throws ManifestUnreadableError
 */
export function printAsRead(manifest: string): string {
  return splitDocuments(manifest)
    .flatMap((part) => documentsOf(part, { intAsBigInt: true }))
    .map(({ value }) => `---\n${printed(value)}`)
    .join('')
}

/** Printed in a way that every version of YAML reads the same: text that could be something else stands in quotes. */
function printed(value: unknown): string {
  const document = new Document(value, { ...printing, aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && !plainText.test(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  // Some readers take these characters for the end of a line, within quotes too.
  return document
    .toString({ lineWidth: 0 })
    .replaceAll(new RegExp(oddBreaks, 'g'), (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
const printing = { schema: 'yaml-1.1', version: '1.1' } as const
const plainText = /^[A-Za-z/][\n\t\x20-\x7e]*$/

/** Documents as text; a line of three dashes begins the next one. */
export function splitDocuments(manifest: string): string[] {
  return manifest.split(betweenDocuments).filter(saysSomething)
}
const betweenDocuments = /^---(?=\s|$).*$/m
const saysSomething = (part: string) => /^[^#\s]/m.test(part)

/** Integers such as `0o17`, which YAML 1.1 does not have and Helm reads. */
const octal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text, _, { intAsBigInt }) => {
    const size = BigInt(text.replace(/^[-+]|_/g, '')) * (text.startsWith('-') ? -1n : 1n)
    return intAsBigInt ? size : Number(size)
  },
}

/** Decimal numbers with a digit in them, as Helm wants it; YAML 1.1 takes `.` and `e8` for numbers as well. */
const decimal: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(?:\.\d+|\d+\.\d*|(?:\.\d+|\d+(?:\.\d*)?)[eE][-+]?\d+)$/,
  resolve: Number,
}

type Tag = Exclude<Tags[number], string>
const isDecimal = ({ tag, test }: Tag) => tag.endsWith(':float') && !test?.test('.inf')
const isTime = ({ tag, format }: Tag) => tag.endsWith(':timestamp') || format === 'TIME'

/** YAML 1.1 as Helm reads it: what looks like a date or a time is text. */
const asHelm = {
  schema: 'yaml-1.1',
  uniqueKeys: false,
  logLevel: 'silent',
  customTags: (tags: Tags): Tags => [
    ...tags.filter((tag) => typeof tag === 'string' || !(isTime(tag) || isDecimal(tag))),
    ...[octal, decimal],
  ],
} as const

/** Characters that YAML 1.1, and so Helm, takes for the end of a line or leaves out, and YAML 1.2 for text. */
const oddBreaks = /[\u0085\u2028\u2029\ufeff]/

/**
 * The end of a text of several lines that Helm has printed without the indentation that YAML asks for; a line cannot
 * begin with this otherwise. Spaces in front of it are no part of the text.
 */
const closingQuote = /^'(?=[ \t\r]*$)/gm

function documentsOf(part: string, integers: { intAsBigInt?: boolean }): { value: unknown; isPlain: boolean }[] {
  if (openBrackets(part) > maxOpenBrackets) throw new ManifestUnreadableError('The manifest is nested too deeply.')
  try {
    const text = part.replaceAll(closingQuote, `${' '.repeat(1000)}'`)
    return Array.from(parseAllDocuments(text, { ...asHelm, ...integers }), (document) => {
      if (document.errors[0]) throw document.errors[0]
      return {
        value: document.toJS({ maxAliasCount: 100 }) as unknown,
        isPlain: !oddBreaks.test(part) && isPlainDocument(document, text),
      }
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'not readable'
    throw new ManifestUnreadableError(`The manifest is not valid YAML: ${reason}`, { cause: error })
  }
}

const plainTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'seq', 'map'].map((tag) => `tag:yaml.org,2002:${tag}`),
)

/** Tells whether it is written in a way that Helm reads alike; what is not can be deployed, and is never judged. */
function isPlainDocument(document: Document.Parsed, text: string): boolean {
  let isPlain = true
  visit(document, (role, node) => {
    const isRefused = isPair(node) ? isCramped(node, text) : isNode(node) && isOdd(node, role === 'key')
    if (!isRefused) return undefined
    isPlain = false
    return visit.BREAK
  })
  return isPlain
}

/** A key in brackets whose colon touches what follows, as in `{a:}`: Helm takes that colon for a part of the key. */
function isCramped({ key }: Pair, text: string): boolean {
  return (
    isScalar(key) && key.type === 'PLAIN' && /^:[,[\]{}]/.test(text.slice(key.range?.[1], (key.range?.[1] ?? 0) + 2))
  )
}

/** Letters of numbers of every notation, and gaps between their digits; a name such as `01_sources.conf` has others. */
const likeNumber = /^[-+.\d][\da-foxp._+-]*$/i

/**
 * Types that JSON lacks, names of anchors that end elsewhere for Helm, and numbers that it writes or reads otherwise.
 */
function isOdd(node: Node, isKey: boolean): boolean {
  if (isAlias(node)) return false
  if (node.tag !== undefined && !plainTags.has(node.tag)) return true
  if (node.anchor !== undefined && !/^[\w-]+$/.test(node.anchor)) return true
  if (!isScalar(node)) return false
  const { value, source = '', type } = node
  if (type === 'PLAIN' && source.includes('_') && likeNumber.test(source)) return true
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  return isNumber && (isKey ? !/^(0|[1-9]\d*)$/.test(source) : !Number.isFinite(Number(value)))
}

/**
 * An upper bound of how deep flow collections go. Brackets in text count too, so the limit is far above honest ones.
 */
function openBrackets(part: string): number {
  let depth = 0
  let deepest = 0
  for (const char of part) {
    if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if ((char === ']' || char === '}') && depth > 0) depth -= 1
  }
  return deepest
}

function flatten(values: unknown[]): ManifestObject[] {
  return values.flatMap((value) => {
    if (!isRecord(value)) return []
    // Kubernetes' clients take anything with items for a list, whatever its kind says.
    if (Array.isArray(value.items))
      return flatten(namedItems(value, value.items)).map((object) => ({ ...object, listed: true }))
    const metadata = isRecord(value.metadata) ? value.metadata : {}
    return [
      {
        apiVersion: String(value.apiVersion ?? ''),
        kind: String(value.kind ?? ''),
        name: String(metadata.name ?? metadata.generateName ?? ''),
        namespace: typeof metadata.namespace === 'string' && metadata.namespace ? metadata.namespace : undefined,
        body: value,
      },
    ]
  })
}

/** Items that do not say what they are, are what their list is made of: so every Kubernetes client takes them. */
function namedItems(list: Record<string, unknown>, items: readonly unknown[]): unknown[] {
  const inferred = { apiVersion: list.apiVersion, kind: String(list.kind ?? '').replace(/List$/, '') }
  return items.map((item) => (isRecord(item) && !item.kind && !item.apiVersion ? { ...item, ...inferred } : item))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
