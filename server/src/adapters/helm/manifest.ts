import { type Document, isNode, parseAllDocuments, visit } from 'yaml'

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
  /** It takes what it says of itself from elsewhere by a merge key, which Helm follows and this reader does not. */
  merges?: true
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
  for (const part of splitDocuments(manifest)) {
    const source = /^\s*# Source: (\S[^\n]*)/.exec(part)?.[1]?.trim().slice(0, longestSource)
    for (const object of objectsOf(part)) objects.push(source ? { ...object, source } : object)
    if (objects.length > maxObjects)
      throw new ManifestUnreadableError(`The manifest has more than ${maxObjects} objects.`)
  }
  return objects
}

function objectsOf(part: string): ManifestObject[] {
  try {
    const { values, isPlain } = parsePart(part)
    const objects = flatten(values)
    return isPlain ? objects : objects.map((object) => ({ ...object, body: {}, unreadable: true }))
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

/** Documents as text; a line of three dashes begins the next one. */
export function splitDocuments(manifest: string): string[] {
  return manifest.split(/^---(?=\s|$).*$/m).filter((part) => /^[^#\s]/m.test(part))
}

function parsePart(part: string): { values: unknown[]; isPlain: boolean } {
  if (openBrackets(part) > maxOpenBrackets) throw new ManifestUnreadableError('The manifest is nested too deeply.')
  try {
    const documents = parseAllDocuments(part, { uniqueKeys: false, logLevel: 'silent', schema: 'core' })
    const values = Array.from(documents, (document): unknown => {
      if (document.errors[0]) throw document.errors[0]
      return document.toJS({ maxAliasCount: 100 })
    })
    return { values, isPlain: Array.from(documents).every(isPlainDocument) }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'not readable'
    throw new ManifestUnreadableError(`The manifest is not valid YAML: ${reason}`, { cause: error })
  }
}

const plainTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'seq', 'map'].map((tag) => `tag:yaml.org,2002:${tag}`),
)

/** Whether nothing in it is of a type that JSON lacks: Helm makes text of what we would see as bytes or as nothing. */
function isPlainDocument(document: Document.Parsed): boolean {
  let isPlain = true
  visit(document, (_, node) => {
    if (!isNode(node)) return undefined
    const isUnknown = 'tag' in node && node.tag !== undefined && !plainTags.has(node.tag)
    const isNoNumber = 'value' in node && typeof node.value === 'number' && !Number.isFinite(node.value)
    if (!isUnknown && !isNoNumber) return undefined
    isPlain = false
    return visit.BREAK
  })
  return isPlain
}

/** An upper bound of how deep flow collections go. Brackets in text count too, so the limit is far above honest ones. */
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
    if (typeof value.kind === 'string' && value.kind.endsWith('List') && Array.isArray(value.items))
      return flatten(namedItems(value, value.kind, value.items)).map((object) => ({ ...object, listed: true }))
    const metadata = isRecord(value.metadata) ? value.metadata : {}
    return [
      {
        apiVersion: String(value.apiVersion ?? ''),
        kind: String(value.kind ?? ''),
        name: String(metadata.name ?? metadata.generateName ?? ''),
        namespace: typeof metadata.namespace === 'string' && metadata.namespace ? metadata.namespace : undefined,
        body: value,
        ...('<<' in value || '<<' in metadata ? { merges: true as const } : {}),
      },
    ]
  })
}

/** Items that do not say what they are, are what their list is made of: so every Kubernetes client takes them. */
function namedItems(list: Record<string, unknown>, kind: string, items: readonly unknown[]): unknown[] {
  const inferred = { apiVersion: list.apiVersion, kind: kind.slice(0, -'List'.length) }
  return items.map((item) => (isRecord(item) && !item.kind && !item.apiVersion ? { ...item, ...inferred } : item))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
