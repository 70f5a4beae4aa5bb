import type { Node, Scalar } from 'yaml'
import { applyEdits, type Edit } from '../yaml/edits.ts'
import { valueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import type { Path } from '../yaml/slot.ts'
import { type Change, writeFields } from '../yaml/write-field.ts'
import { openYaml, plainValue, readYamlValue, type YamlDocument, YamlRefused } from '../yaml/yaml-document.ts'
import { maskedComments } from './secret-comments.ts'
import { secretMark } from './secret-mark.ts'
import { secretsInText } from './secret-names.ts'
import { secretPathsOf } from './secret-paths.ts'
import { isWrittenScalar, type SecretLeaf, type SecretPath, secretLeaves, secretScalars } from './secret-walk.ts'

/** Text to show in place of a secret; undefined leaves the secret as it is. */
export type MarkOf = (path: Path, value: string | number) => string | undefined

/**
 * A document that can leave: secrets give way to the mark, also in comments and where a key comes again; every other
 * byte stays. Comments that stand in `known` texts too are shown.
 */
export function maskDocument(
  yamlText: string,
  paths: readonly SecretPath[],
  markOf: MarkOf = () => secretMark,
  known: readonly string[] = [],
): string {
  const document = openYaml(yamlText)
  // Refuses what its aliases make too large.
  plainValue(document)
  const edits = new Map<Node, Edit>()
  const hidden: string[] = []
  for (const { path, value, node, isInText } of secretScalars(document, paths)) {
    const mark = node.isShadowed ? secretMark : markOf(path, value)
    if (mark === undefined || !isWrittenScalar(node.node)) continue
    hidden.push(...(isInText ? secretsInText(String(value)) : [String(value)]))
    edits.set(node.node, editOf(yamlText, node.node, mark))
  }
  const comments = maskedComments(yamlText, { secrets: hidden, known, mark: secretMark })
  return applyEdits(yamlText, [...edits.values(), ...comments])
}

/** Where secrets stand in a text, for a view that does not show them; nothing in one that is not YAML. */
export function secretRanges(yamlText: string, schema?: unknown): { from: number; to: number }[] {
  let document: YamlDocument
  let paths: SecretPath[]
  try {
    document = openYaml(yamlText)
    plainValue(document)
    paths = secretPathsOf(yamlText, schema)
  } catch (error) {
    if (error instanceof YamlRefused) return []
    throw error
  }
  const written = secretScalars(document, paths).flatMap(({ node: { node } }) => (isWrittenScalar(node) ? [node] : []))
  return [...new Set(written)]
    .map((node) => editOf(yamlText, node, ''))
    .map(({ from, to }) => ({ from, to }))
    .sort((a, b) => a.from - b.from)
}

function editOf(text: string, { range, type }: Scalar & { range: [number, number, number] }, mark: string): Edit {
  let [from, to] = range
  while (to > from && /\s/.test(text[to - 1] ?? '')) to -= 1
  return { from, to, text: type === 'QUOTE_SINGLE' ? `'${mark}'` : JSON.stringify(mark) }
}

/** A value that can leave, as `maskDocument` does it for a text. */
export function maskValue(value: unknown, paths: readonly SecretPath[], at: Path = []): unknown {
  const isHidden = hiddenIn(secretLeaves(nested(at, value), paths))
  const copy = (one: unknown, path: Path): unknown => {
    if (isHidden(path, one)) return secretMark
    if (Array.isArray(one)) return one.map((item, index) => copy(item, [...path, index]))
    if (!isRecord(one)) return one
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, copy(inner, [...path, key])]))
  }
  return copy(value, at)
}

const minSecretLength = 6

/** Tells whether a place is one of these secrets, or says one of them again under another name. */
export function hiddenIn(leaves: readonly SecretLeaf<unknown>[]): (path: Path, value: unknown) => boolean {
  const places = new Set(leaves.map(({ path }) => JSON.stringify(path)))
  const texts = new Set<unknown>(
    leaves.map(({ value }) => value).filter((value) => String(value).length >= minSecretLength),
  )
  return (path, value) =>
    typeof value === 'string' || typeof value === 'number'
      ? texts.has(value) || places.has(JSON.stringify(path))
      : false
}

function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value)
}

export interface Unmasked {
  yaml: string
  /** Where the mark stands for nothing that is kept. */
  missing: Path[]
}

export function hasSecretMark(yamlText: string): boolean {
  return yamlText.includes(secretMark)
}

/** Puts the kept secrets back to where the mark was left alone. */
export function unmaskDocument(yamlText: string, kept: unknown): Unmasked {
  if (!hasSecretMark(yamlText)) return { yaml: yamlText, missing: [] }
  const changes: Change[] = []
  const missing: Path[] = []
  collect(readYamlValue(yamlText), kept, [], (path, value) => {
    if (value === undefined || value === null || typeof value === 'object') missing.push(path)
    else changes.push({ path, value })
  })
  return { yaml: changes.length === 0 ? yamlText : writeFields(yamlText, changes), missing }
}

function collect(value: unknown, kept: unknown, path: Path, onMark: (path: Path, kept: unknown) => void): void {
  if (value === secretMark) onMark(path, kept)
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      collect(item, keptItem(value, index, Array.isArray(kept) ? kept : []), [...path, index], onMark)
  } else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) collect(inner, valueAt(kept, [key]), [...path, key], onMark)
  }
}

const naming = ['name', 'id', 'key', 'username', 'user', 'host']

/**
 * The entry that an entry of a list was before: by its name where entries have one, or the secret of another is taken.
 */
function keptItem(list: readonly unknown[], index: number, kept: readonly unknown[]): unknown {
  const item = list[index]
  const name = naming.find((each) => isRecord(item) && item[each] !== undefined && item[each] !== secretMark)
  if (!isRecord(item) || name === undefined) return list.length === kept.length ? kept[index] : undefined
  const same = kept.filter((each) => isRecord(each) && each[name] === item[name])
  return same.length === 1 ? same[0] : undefined
}
