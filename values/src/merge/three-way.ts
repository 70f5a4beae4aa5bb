import { type Block, blockOf, type Entry } from '../yaml/entry-text.ts'
import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import type { Path } from '../yaml/slot.ts'
import { type Change, writeFields } from '../yaml/write-field.ts'
import { openYaml, plainValue, readYamlValue, type YamlDocument, YamlRefused } from '../yaml/yaml-document.ts'
import { mergeThreeWays, type ValueMerge } from './three-way-values.ts'

export type DocumentMerge = ValueMerge & { yaml: string }

/**
 * Carries a person's document from a chart's old defaults to its new ones. Where the person wrote something (a value,
 * a comment, an order) their bytes stay; everything else is the new chart's text, its comments included. Throws
 * YamlRefused when one of the texts is not YAML.
 */
export function mergeDocuments(before: string, yours: string, theirs: string): DocumentMerge {
  const [base, own, next] = [sourceOf(before), sourceOf(yours), sourceOf(theirs)]
  const merge = mergeThreeWays(base.value, own.value, next.value)
  // Bytes first: one of the two did nothing at all.
  if (yours === before) return { ...merge, yaml: theirs }
  if (theirs === before) return { ...merge, yaml: yours }
  if (!isRecord(own.value) || Object.keys(own.value).length === 0) return { ...merge, value: asMap(next), yaml: theirs }
  const yaml = mergedText(base, own, next, merge.value) ?? written(yours, merge.value)
  return { ...merge, yaml }
}

interface Source {
  text: string
  document: YamlDocument
  value: unknown
}

function sourceOf(given: string): Source {
  const text = given === '' || given.endsWith('\n') ? given : `${given}\n`
  const document = openYaml(text)
  return { text, document, value: plainValue(document) }
}

function asMap({ value }: Source): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** The merge written into the person's text; what anchors share can need another look. */
function written(yours: string, merged: unknown): string {
  let yaml = yours
  for (let look = 0; look < 3; look += 1) {
    const changes = differences(readYamlValue(yaml), merged, [])
    if (changes.length === 0) break
    yaml = writeFields(yaml, changes)
  }
  return yaml
}

/** The merge as a text made of the texts, if it reads as the merged value. */
function mergedText(base: Source, own: Source, next: Source, merged: Record<string, unknown>): string | undefined {
  const [before, yours, theirs] = [base, own, next].map(({ text, document }) => blockOf(text, document))
  if (!yours || !theirs) return undefined
  const changes: Change[] = []
  const inner = weave(
    { before, yours, theirs, values: { before: base.value, yours: own.value }, merged, path: [] },
    changes,
  )
  const rest = yours.rest === before?.rest ? theirs.rest : yours.rest
  try {
    const text = changes.length > 0 ? writeFields(inner + rest, changes) : inner + rest
    return sameValue(plainValue(openYaml(text)), merged) ? text : undefined
  } catch (error) {
    if (error instanceof YamlRefused) return undefined
    throw error
  }
}

interface Threads {
  before: Block | undefined
  yours: Block
  theirs: Block
  values: { before: unknown; yours: unknown }
  merged: Record<string, unknown>
  path: readonly string[]
}

/** Puts the entries of a merged map together; what no text says yet becomes a change to be written afterwards. */
function weave(threads: Threads, changes: Change[]): string {
  return orderOf(threads)
    .map((key) => textOf(threads, key, changes))
    .join('')
}

/** The person's order; what only the chart has comes behind what it follows there. */
function orderOf({ yours, theirs, merged }: Threads): string[] {
  const order = [...yours.entries.keys()].filter((key) => Object.hasOwn(merged, key))
  let last: string | undefined
  for (const key of theirs.entries.keys()) {
    if (!Object.hasOwn(merged, key)) continue
    if (!order.includes(key)) order.splice(last === undefined ? 0 : order.indexOf(last) + 1, 0, key)
    last = key
  }
  return order
}

function textOf(threads: Threads, key: string, changes: Change[]): string {
  const [before, yours, theirs] = [threads.before, threads.yours, threads.theirs].map((each) => each?.entries.get(key))
  if (!yours) return theirs ? theirs.lead + theirs.body : ''
  if (!theirs) return yours.lead + fitted(threads, key, yours, changes)
  const lead = pick(before?.lead, yours.lead, theirs.lead)
  if (before && yours.body === before.body) return lead + theirs.body
  if (before && theirs.body === before.body) return lead + yours.body
  return lead + bodyOf(threads, key, { before, yours, theirs }, changes)
}

function bodyOf(
  threads: Threads,
  key: string,
  { before, yours, theirs }: { before: Entry | undefined; yours: Entry; theirs: Entry },
  changes: Change[],
): string {
  const value = threads.merged[key]
  const canWeave = yours.child && theirs.child && yours.child.column === theirs.child.column && isRecord(value)
  if (!yours.child || !theirs.child || !canWeave || !isRecord(value)) return fitted(threads, key, yours, changes)
  const inner: Threads = {
    before: before?.child,
    yours: yours.child,
    theirs: theirs.child,
    values: { before: valueAt(threads.values.before, [key]), yours: valueAt(threads.values.yours, [key]) },
    merged: value,
    path: [...threads.path, key],
  }
  return pick(before?.head, yours.head, theirs.head) + weave(inner, changes)
}

/** The person's own lines, and what has to be written into them. */
function fitted({ values, merged, path }: Threads, key: string, yours: Entry, changes: Change[]): string {
  changes.push(...differences(valueAt(values.yours, [key]), merged[key], [...path, key]))
  return yours.body
}

function pick(before: string | undefined, yours: string, theirs: string): string {
  return yours === before ? theirs : yours
}

/** The changes that make one value of another, as deep as both are maps. */
function differences(from: unknown, to: unknown, path: Path): Change[] {
  if (sameValue(from, to)) return []
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length && from.length > 0)
    return from.flatMap((item, at) => differences(item, to[at], [...path, at]))
  if (!isRecord(from) || !isRecord(to)) return [{ path, value: to }]
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) =>
    differences(valueAt(from, [key]), valueAt(to, [key]), [...path, key]),
  )
}
