import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml'
import { isRecord } from '../yaml/scalar-text.ts'
import type { Path } from '../yaml/slot.ts'
import { resolved, type YamlDocument } from '../yaml/yaml-document.ts'
import { isSecretName, isSecretTree, namesSecret, secretsInText } from './secret-names.ts'

/** Names from the root to a secret, `*` for any entry of a list or of a map with free names. All below it is too. */
export type SecretPath = readonly string[]

export interface SecretLeaf<N> {
  path: (string | number)[]
  value: string | number
  node: N
  /** Only what is inside of the text is secret; nobody and no name says that all of it is. */
  isInText: boolean
}

/** How to look into something that is a tree. */
interface View<N> {
  valueOf(node: N): unknown
  entriesOf(node: N): readonly (readonly [key: string | number, inner: N])[]
}

const plain: View<unknown> = {
  valueOf: (value) => value,
  entriesOf: (value) => (Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : []),
}

/** The scalars of a value that are secret, each with its own path; those that are empty keep no secret. */
export function secretLeaves(root: unknown, paths: readonly SecretPath[]): SecretLeaf<unknown>[] {
  return leavesOf(plain, root, paths)
}

interface Written {
  node: Node | null
  /** A later entry has the same key: nobody reads this one, and yet it stands there. */
  isShadowed: boolean
}

/** The same in a document: also behind aliases, and in entries whose key comes again. */
export function secretScalars(document: YamlDocument, paths: readonly SecretPath[]): SecretLeaf<Written>[] {
  const view: View<Written> = {
    valueOf: ({ node }) => (isScalar(node) ? node.value : undefined),
    entriesOf: (written) => entriesIn(document, written),
  }
  return leavesOf(view, { node: resolved(document, document.contents), isShadowed: false }, paths)
}

export function isWrittenScalar(node: Node | null): node is Scalar & { range: [number, number, number] } {
  return isScalar(node) && Array.isArray(node.range)
}

function entriesIn(document: YamlDocument, { node, isShadowed }: Written): (readonly [string | number, Written])[] {
  const written = (inner: unknown, isOver: boolean): Written => ({
    node: resolved(document, inner),
    isShadowed: isShadowed || isOver,
  })
  if (isSeq(node)) return node.items.map((item, index) => [index, written(item, false)])
  if (!isMap(node)) return []
  const last = new Map(node.items.map((pair) => [keyOf(document, pair), pair]))
  return node.items.flatMap((pair) => {
    const key = keyOf(document, pair)
    const value = written(pair.value, last.get(key) !== pair)
    if (key !== '<<') return [[key, value] as const]
    // Merged entries count under their own names, and a list of maps is merged in one by one.
    const maps = isSeq(value.node) ? value.node.items.map((item) => written(item, false)) : [value]
    return maps.flatMap((map) => (isMap(map.node) ? entriesIn(document, map) : []))
  })
}

function keyOf(document: YamlDocument, { key }: Pair): string {
  const node = isAlias(key) ? resolved(document, key) : key
  const value = isScalar(node) ? node.value : isNode(node) ? '?' : node
  return typeof value === 'symbol' ? (value.description ?? '') : String(value ?? '')
}

function leavesOf<N>(view: View<N>, root: N, paths: readonly SecretPath[]): SecretLeaf<N>[] {
  const found: SecretLeaf<N>[] = []
  const walk = (node: N, path: (string | number)[], open: readonly SecretPath[], isSecret: boolean) => {
    const value = view.valueOf(node)
    if (typeof value === 'string' || typeof value === 'number') {
      if (value === '') return
      if (isSecret || isSecretName(lastName(path))) found.push({ path, value, node, isInText: false })
      else if (typeof value === 'string' && secretsInText(value).length > 0)
        found.push({ path, value, node, isInText: true })
      return
    }
    const entries = view.entriesOf(node)
    // Environment variables have this shape: the name of a secret beside its value.
    const isNamed = entries.some(([key, inner]) => namesSecret(key, view.valueOf(inner)))
    for (const [key, inner] of entries) {
      const next = open.filter(([head]) => head === '*' || head === String(key)).map((one) => one.slice(1))
      const isReached = next.some((one) => one.length === 0) || (isNamed && key === 'value')
      walk(inner, [...path, key], next, isSecret || isReached || isSecretTree(String(key)))
    }
  }
  const isAll = paths.some((path) => path.length === 0)
  walk(root, [], paths, isAll)
  return found
}

function lastName(path: Path): string {
  return String(path.findLast((part) => typeof part === 'string') ?? '')
}
