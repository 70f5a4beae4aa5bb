import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCollection, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml'
import { coalesce } from '../merge/coalesce.ts'
import { sameValue, valueAt, withValueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import type { Path } from '../yaml/slot.ts'
import { readYamlValue } from '../yaml/yaml-document.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import type { FieldEdit } from './field-edit.ts'
import { fieldsOf } from './fields.ts'
import { changeValues, openValues, type ValuesModel } from './values-model.ts'

/** `npm run values` tries ten thousand; the test of every day a few hundred. */
const rounds = Number(process.env.VALUES_ROUNDS ?? 400)

const word = fc.constantFrom(
  'web',
  'no',
  '1.10',
  'a: b',
  "it's",
  '# no comment',
  '',
  'x\ny',
  'on',
  '~',
  '0123',
  '*a',
  '{}',
)
const scalar = fc.oneof(word, fc.integer({ min: -5, max: 999 }), fc.boolean(), fc.constant(null))
const name = fc.constantFrom(
  'image',
  'tag',
  'labels',
  'ports',
  'on',
  'a b',
  'resources',
  'x.y',
  'env',
  '10',
  '2',
  'args',
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(name, tie('tree'), { maxKeys: 5 }),
  ),
}))
const filler = 'it is said here at some length why this is as it is, so that a part is large enough to stand alone; '

/** A document in ever changing style: margins, comments, blank lines, quotes, flow and block. */
function written(value: unknown, next: () => number, margin: string): string {
  const entries = Array.isArray(value)
    ? value.map((one) => ['', one] as const)
    : isRecord(value)
      ? Object.entries(value)
      : []
  if (entries.length === 0 || (margin !== '' && next() === 0))
    return ` ${JSON.stringify(value)}${next() < 3 ? '  # beside' : ''}\n`
  const isList = Array.isArray(value)
  const inner = margin === '' ? '' : margin.slice(1) + ' '.repeat(isList && next() < 4 ? 0 : 1 + (next() % 3))
  const lead = () => {
    const kind = next()
    if (kind < 3) return `${inner}# above ${kind === 0 ? filler.repeat(1 + (next() % 20)) : ''}\n`
    return kind === 3 ? '\n' : kind === 4 ? `${inner}# apart\n\n` : ''
  }
  const deeper = `${inner}  `
  const body = entries.map(([key, one]) => {
    const mark = isList ? '-' : `${/^[a-z]{3,}$/.test(key) ? key : JSON.stringify(key)}:`
    return `${lead()}${inner}${mark}${written(one, next, isList ? `${deeper} ` : `${inner} `)}`
  })
  return `${margin === '' ? '' : next() < 2 ? ' # head\n' : '\n'}${body.join('')}`
}

interface Place {
  path: Path
  field: FieldConfiguration
}

function placesOf(fields: readonly FieldConfiguration[], above: Path = []): Place[] {
  return fields.flatMap((field, index) => {
    const path = [...above, field.name ?? index]
    return [
      { path, field },
      ...placesOf(field.objects, path),
      ...(field.type === 'array' ? placesOf(field.collections, path) : []),
    ]
  })
}

/** Something that a form can do to a place, and the value the document has after it. */
function editOf({ path, field }: Place, before: unknown, pick: number, scalarValue: unknown, treeValue: unknown) {
  const set = (value: unknown, edit: FieldEdit = { kind: 'value', value }, at: Path = path) => ({
    at,
    edit,
    after: withValueAt(before, at, value),
  })
  if (pick % 7 === 0 && path.length > 0)
    return { at: path, edit: { kind: 'remove' } as FieldEdit, after: withValueAt(before, path, undefined) }
  if (field.type === 'yaml') return set(treeValue, { kind: 'yaml', text: JSON.stringify(treeValue) })
  if (field.type === 'array') {
    const at = [...path, field.collections.length]
    return set(scalarValue, undefined, at)
  }
  if (field.type === 'object') return set(scalarValue, undefined, [...path, `new${pick % 3}`])
  return set(scalarValue)
}

interface Span {
  first: number
  last: number
}

/** The lines that an edit of this place may change, found in the text by a plain parse of all of it. */
function linesOf(text: string, path: Path): Span | 'between' {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, merge: true, uniqueKeys: false })
  const lineAt = (offset: number) => counter.linePos(offset).line - 1
  let span: Span = { first: 0, last: text.split('\n').length - 1 }
  let node: unknown = document.contents
  for (const part of path) {
    if (!isCollection(node)) return span
    const item: unknown = isMap(node)
      ? node.items.findLast(({ key }) => String(isScalar(key) ? (key.value ?? '') : key) === String(part))
      : node.items[Number(part)]
    // A new entry goes between lines that stay, unless it goes into brackets.
    if (item === undefined) return node.flow || node.items.length === 0 ? span : 'between'
    const [key, value] = isPair(item) ? [item.key, item.value] : [item, item]
    const start = isNode(key) ? (key.range?.[0] ?? 0) : 0
    const end = isNode(value) && value.range ? value.range[1] : start
    const behind = text.slice(start, end).trimEnd().length
    span = { first: lineAt(start), last: Math.max(lineAt(start), lineAt(start + Math.max(0, behind - 1))) }
    // A dash may stand alone above its entry.
    if (!isPair(item) && !/-\s*$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start)))
      span.first = dashAbove(text, start, lineAt)
    node = value
  }
  return span
}

function dashAbove(text: string, start: number, lineAt: (offset: number) => number): number {
  return lineAt(Math.max(0, text.lastIndexOf('-', start)))
}

/** The first line of the comment directly above a line, which goes with it. */
function commentAbove(lines: readonly string[], at: number): number {
  const indent = /^ */.exec(lines[at] ?? '')?.[0] ?? ''
  let first = at
  while (first > 0 && lines[first - 1]?.startsWith(`${indent}#`)) first -= 1
  return first
}

/** Tells whether all lines stay, byte by byte and in their order, but those that the edit is about. */
function keepsOthers(before: string, after: string, at: Path, edit: FieldEdit): boolean {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const parent = at.slice(0, -1)
  const siblings = valueAt(readYamlValue(before), parent)
  const isLast = edit.kind === 'remove' && Object.keys(siblings ?? {}).length === 1
  const span = linesOf(before, isLast ? parent : at)
  if (edit.kind === 'remove' && span !== 'between' && !isLast) span.first = commentAbove(a, span.first)
  if (span === 'between') {
    let start = 0
    while (start < a.length && a[start] === b[start]) start += 1
    const rest = a.slice(start)
    return rest.every((line, index) => line === b[b.length - rest.length + index])
  }
  // When the first entry behind a dash goes, the next one takes its place there.
  const isMoved = edit.kind === 'remove' && /^ *-/.test(a[span.first] ?? '') && span.last + 1 < a.length
  const behind = a.slice(span.last + (isMoved ? 2 : 1))
  const moved = isMoved ? (a[span.last + 1] ?? '').trim() : ''
  return (
    a.slice(0, span.first).every((line, index) => line === b[index]) &&
    b.length >= span.first + behind.length &&
    behind.every((line, index) => line === b[b.length - behind.length + index]) &&
    (b[b.length - behind.length - 1] ?? '').trim().endsWith(moved)
  )
}

/** Where a field stands has no say in what it says: one that was set just now keeps its place. */
function sorted(fields: readonly FieldConfiguration[]): unknown {
  const byName = [...fields].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
  return byName.map((field) => ({
    ...field,
    objects: field.type === 'array' ? [] : sorted(field.objects),
    collections: field.collections.map((one) => sorted([one])),
  }))
}

describe('a form over any document', () => {
  it('opens one that begins with an empty line and a comment', () => {
    const text = '\n# said above\na: 1\nb: 2\n'
    const model = openValues(text, undefined)
    expect(model.level?.chunks.map((chunk) => chunk.text)).toEqual(['# said above\na: 1\n', 'b: 2\n'])
    expect(changeValues(model, ['b'], { kind: 'value', value: 3 }).text).toBe('\n# said above\na: 1\nb: 3\n')
  })

  it('keeps the comments of an entry of a list whose first setting is taken out', () => {
    const model = openValues('list:\n  - a: 1 # one\n    # about b\n    b: 2 # two\n  - a: 3\n    b: 4\n', undefined)
    const once = changeValues(model, ['list', 0, 'a'], { kind: 'remove' })
    expect(once.text).toBe('list:\n  -\n    # about b\n    b: 2 # two\n  - a: 3\n    b: 4\n')
    const twice = changeValues(once, ['list', 1, 'a'], { kind: 'remove' })
    expect(twice.text).toBe('list:\n  -\n    # about b\n    b: 2 # two\n  - b: 4\n')
    const nested = openValues('list:\n  - - 1\n    - 2 # two\n', undefined)
    expect(changeValues(nested, ['list', 0, 0], { kind: 'remove' }).text).toBe('list:\n  - - 2 # two\n')
  })

  it('takes the comment of an entry out with it, and no other', () => {
    const text = `# head

list:
  # about the list

  # about a,
  # at length
  - a # beside
  # about b
  - b
  # about c
  - x: 1 # one
    # about z
    z: 2
# about last
last: 1
`
    const remove = (from: string, path: Path) =>
      changeValues(openValues(from, undefined), path, { kind: 'remove' }).text
    expect(remove(text, ['list', 0])).toBe(text.replace('  # about a,\n  # at length\n  - a # beside\n', ''))
    expect(remove(text, ['list', 1])).toBe(text.replace('  # about b\n  - b\n', ''))
    expect(remove(text, ['list', 2])).toBe(text.replace('  # about c\n  - x: 1 # one\n    # about z\n    z: 2\n', ''))
    expect(remove(text, ['list', 2, 'z'])).toBe(text.replace('    # about z\n    z: 2\n', ''))
    expect(remove(text, ['last'])).toBe(text.replace('# about last\nlast: 1\n', ''))
    const single = 'list:\n  # about a\n  - a # beside\n# about last\nlast: 1\n'
    expect(remove(single, ['list', 0])).toBe('list: []\n# about last\nlast: 1\n')
    expect(remove('map:\n  # about a\n  a: 1\nlast: 1\n', ['map', 'a'])).toBe('map: {}\nlast: 1\n')
  })

  it('shows labels as a map of texts as soon as they all are texts', () => {
    const filler = `# ${'long '.repeat(400)}\n`
    const text = `${filler}app:\n  ${filler}  labels:\n    ${filler}    tier: 293\n    ports: open\n  env: 53\n`
    const model = openValues(text, undefined)
    const next = changeValues(model, ['app', 'labels', 'tier'], { kind: 'remove' })
    expect(model.fields[0]?.objects[0]).toMatchObject({ name: 'labels', type: 'object' })
    expect(model.fields[0]?.objects[0]?.map).toBeUndefined()
    expect(next.fields[0]?.objects[0]?.map).toBeDefined()
  })

  it('shows a new entry behind one that takes away what the chart has', () => {
    const filler = `# ${'long '.repeat(400)}\n`
    const written = (last: string) => `${filler}app:\n  ${filler}  labels:\n    ${filler}    ${last}\n  env: 53\n`
    const defaults = openValues(written('tier: 2'), undefined)
    const model = openValues(written('tier: null'), undefined, { defaults })
    const next = changeValues(model, ['app', 'labels', 'new2'], { kind: 'value', value: 'a: b' })
    const fresh = openValues(next.text, undefined, { defaults })
    const labels = next.fields[0]?.objects[0]?.objects.map(({ name }) => name)
    expect(labels).toEqual(['new2'])
    expect(fresh.fields[0]?.objects[0]?.objects.map(({ name }) => name)).toEqual(labels)
  })

  it('shows the text of a sub-tree with its comments, and writing it back changes no byte', () => {
    const document = fc.tuple(fc.dictionary(name, tree, { minKeys: 1, maxKeys: 8 }), fc.infiniteStream(fc.nat(11)))
    fc.assert(
      fc.property(document, ([root, stream]) => {
        const text = written(root, () => stream.next().value ?? 0, '')
        const model = openValues(text, undefined)
        for (const { path, field } of placesOf(model.fields)) {
          if (field.type !== 'yaml' || field.value === undefined || field.value === '') continue
          expect(changeValues(model, path, { kind: 'yaml', text: String(field.value) }).text).toBe(text)
        }
      }),
      { numRuns: Math.ceil(rounds / 4) },
    )
    const mixed = openValues(
      'x:\n  free:\n    # above\n    - a: 1 # one\n    - 2 # two\n    # apart\nz: 1\n',
      undefined,
    )
    expect(mixed.fields[0]?.objects[0]?.value).toBe('# above\n- a: 1 # one\n- 2 # two')
    const next = changeValues(mixed, ['x', 'free'], { kind: 'yaml', text: '- a: 1\n# of two\n- 2' })
    expect(next.text).toBe('x:\n  free:\n    - a: 1\n    # of two\n    - 2\n    # apart\nz: 1\n')
  })

  it(`changes what it is about and no other line, ${rounds} of ${rounds} times`, { timeout: 1_800_000 }, () => {
    const document = fc.tuple(fc.dictionary(name, tree, { minKeys: 1, maxKeys: 8 }), fc.infiniteStream(fc.nat(11)))
    const steps = fc.array(fc.tuple(fc.nat(), scalar, tree), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(document, steps, ([root, stream], changes) => {
        const text = written(root, () => stream.next().value ?? 0, '')
        let model: ValuesModel = openValues(text, undefined)
        for (const [pick, scalarValue, treeValue] of changes) {
          const places = placesOf(model.fields)
          const place = places[pick % Math.max(1, places.length)]
          if (!place) continue
          const { at, edit, after } = editOf(place, model.value, pick, scalarValue, treeValue)
          const next = changeValues(model, at, edit)
          const read = readYamlValue(next.text)
          const story = () => `${model.text}\n--- ${JSON.stringify([at, edit])}\n${next.text}`
          if (!sameValue(read ?? {}, after ?? {})) throw new Error(`another value: ${story()}`)
          if (!sameValue(next.value ?? {}, read ?? {})) throw new Error(`the model thinks otherwise: ${story()}`)
          if (!keepsOthers(model.text, next.text, at, edit)) throw new Error(`other lines: ${story()}`)
          const fresh = JSON.stringify(sorted(fieldsOf(next.text)))
          if (JSON.stringify(sorted(next.fields)) !== fresh) throw new Error(`other fields: ${story()}`)
          // To YAML and back: the text is the truth, so the form is made from it anew.
          model = pick % 2 === 0 ? next : openValues(next.text, undefined)
        }
      }),
      { numRuns: rounds, endOnFailure: true },
    )
  })

  it('over the values of a chart is in place what it is when read anew, and what is removed is gone for Helm', {
    timeout: 1_800_000,
  }, () => {
    const values = fc.dictionary(name, tree, { minKeys: 1, maxKeys: 8 })
    const document = fc.tuple(values, values, fc.boolean(), fc.infiniteStream(fc.nat(11)))
    const steps = fc.array(fc.tuple(fc.nat(), scalar, tree), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(document, steps, ([root, other, isNear, stream], changes) => {
        const next = () => stream.next().value ?? 0
        const defaults = openValues(written(isNear ? { ...root, ...other } : root, next, ''), undefined)
        let model = openValues(written(root, next, ''), undefined, { defaults })
        for (const [pick, scalarValue, treeValue] of changes) {
          const places = placesOf(model.fields)
          const place = places[pick % Math.max(1, places.length)]
          if (!place) continue
          const { at, edit } = editOf(place, model.value, pick, scalarValue, treeValue)
          const after = changeValues(model, at, edit)
          const story = `${defaults.text}\n--- ${model.text}\n--- ${JSON.stringify([at, edit])}\n${after.text}`
          const fresh = openValues(after.text, undefined, { defaults })
          expect(sameValue(after.value ?? {}, fresh.value ?? {}), story).toBe(true)
          expect(JSON.stringify(sorted(after.fields)), story).toBe(JSON.stringify(sorted(fresh.fields)))
          const isGone = edit.kind !== 'remove' || typeof at.at(-1) === 'number'
          if (!isGone) expect(valueAt(coalesce(defaults.value, after.value), at) ?? null, story).toBe(null)
          model = pick % 2 === 0 ? after : fresh
        }
      }),
      { numRuns: Math.ceil(rounds / 4), endOnFailure: true },
    )
  })
})
