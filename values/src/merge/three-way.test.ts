import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { sameValue, valueAt } from '../yaml/plain-values.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import { readYamlValue } from '../yaml/yaml-document.ts'
import { resolveConflict } from './resolve-conflict.ts'
import { mergeDocuments } from './three-way.ts'

const before = `# A shop
replicas: 2
image:
  # where from
  repository: shop/web
  tag: "1.0"
ingress:
  enabled: false
  host: ""
limits:
  cpu: 100m
`

const after = `# A shop, second edition
replicas: 3
image:
  # where from, a mirror works too
  repository: shop/web
  tag: "2.0"
  pullPolicy: Always # new in 2.0
ingress:
  enabled: false
  host: ""
# how it grows
scaling:
  max: 5
`

describe('the person changed something', () => {
  test('what they took away with null needs no null where the new chart does not have it', () => {
    const then = 'store:\n  kind: disk\n  path: /data\n  size: 1Gi\n'
    const yours = 'store:\n  kind: s3\n  path: null\n  size: null\n  own: null\n'
    const now = 'store:\n  kind: disk\n  size: 1Gi\n'
    expect(readYamlValue(mergeDocuments(then, yours, now).yaml)).toEqual({
      store: { kind: 's3', size: null, own: null },
    })
  })

  test('their bytes, comments and order stay; the rest is the new chart, its comments included', () => {
    const yours = before
      .replace('  host: ""\n', "  # asked of the network people\n  host:   'shop.example' # since May\n")
      .replace('replicas: 2\n', '')
      .concat('replicas: 2\n')
    const { yaml, conflicts, kept, taken, added, removed } = mergeDocuments(before, yours, after)
    expect(yaml).toBe(`# A shop
image:
  # where from, a mirror works too
  repository: shop/web
  tag: "2.0"
  pullPolicy: Always # new in 2.0
ingress:
  enabled: false
  # asked of the network people
  host:   'shop.example' # since May
# how it grows
scaling:
  max: 5
replicas: 3
`)
    expect(conflicts).toEqual([])
    expect(kept).toEqual([['ingress', 'host']])
    expect(taken).toEqual([['image', 'tag'], ['replicas']])
    expect(added).toEqual([['image', 'pullPolicy'], ['scaling']])
    expect(removed).toEqual([['limits']])
  })

  test.each([
    ['of the new chart', '# before', '# before', '# after', '# after'],
    ['that they wrote themselves', '# before', '# mine', '# after', '# mine'],
  ])('the comment at the end is that %s', (_, first, own, next, kept) => {
    const [chart, yours, theirs] = [`a: 1\nb: 1\n\n${first}\n`, `a: 2\nb: 1\n\n${own}\n`, `a: 1\nb: 3\n\n${next}\n`]
    expect(mergeDocuments(chart, yours, theirs).yaml).toBe(`a: 2\nb: 3\n\n${kept}\n`)
  })

  test('what the chart changed, removed or retyped as well is a conflict that keeps theirs until chosen', () => {
    const yours = before
      .replace('replicas: 2', 'replicas: 7 # load test')
      .replace('100m', '200m')
      .replace('"1.0"', '"1.1"')
    const next = after.replace('  tag: "2.0"', '  tag:\n    name: "2.0"')
    const { yaml, conflicts } = mergeDocuments(before, yours, next)
    expect(conflicts).toEqual([
      { path: ['replicas'], reason: 'changed', before: 2, yours: 7, theirs: 3 },
      { path: ['image', 'tag'], reason: 'retyped', before: '1.0', yours: '1.1', theirs: { name: '2.0' } },
      { path: ['limits', 'cpu'], reason: 'removed', before: '100m', yours: '200m', theirs: undefined },
    ])
    expect(yaml).toContain('replicas: 7 # load test')
    const [replicas, tag, cpu] = conflicts
    if (!replicas || !tag || !cpu) throw new Error('three conflicts are expected')
    expect(resolveConflict(yaml, replicas, 'theirs')).toContain('replicas: 3 # load test')
    expect(valueAt(readYamlValue(resolveConflict(yaml, tag, 'theirs')), ['image', 'tag'])).toEqual({ name: '2.0' })
    expect(valueAt(readYamlValue(resolveConflict(yaml, cpu, 'theirs')), ['limits'])).toEqual({})
  })

  test('a value that the chart came to by itself is no conflict', () => {
    expect(mergeDocuments('a: 1\n', 'a: 2\n', 'a: 2\n').conflicts).toEqual([])
  })

  test('the same new key on both sides is one only when it says something else', () => {
    expect(mergeDocuments('a: 1\n', 'a: 1\nb: 2\n', 'a: 1\nb: 2\n').conflicts).toEqual([])
    expect(mergeDocuments('a: 1\n', 'a: 1\nb: 3\n', 'a: 1\nb: 2\n').conflicts).toMatchObject([{ reason: 'added' }])
  })
})

describe('documents that are not like the chart', () => {
  test('who writes only a few settings is not given all the others', () => {
    expect(mergeDocuments(before, 'replicas: 9 # mine\n', after.replace('replicas: 3', 'replicas: 2')).yaml).toBe(
      'replicas: 9 # mine\n',
    )
  })

  test('an empty one becomes the new chart', () => {
    expect(mergeDocuments(before, '# nothing\n', after)).toMatchObject({ yaml: after, conflicts: [] })
  })

  test('what anchors share stays shared where nobody touched it', () => {
    const shared = 'base: &b\n  x: 1\nuse: *b\nimage:\n  tag: "1"\n'
    const { yaml } = mergeDocuments(shared, shared.replace('"1"', 'mine'), `${shared}# new\nmore: 1\n`)
    expect(yaml).toBe('base: &b\n  x: 1\nuse: *b\nimage:\n  tag: mine\n# new\nmore: 1\n')
    const merged = 'base: &b {x: 1}\nuse:\n  <<: *b\n  z: 2\n'
    const changed = mergeDocuments(merged, merged.replace('z: 2', 'z: 3'), merged.replace('x: 1', 'x: 5'))
    expect(readYamlValue(changed.yaml)).toEqual({ base: { x: 5 }, use: { x: 5, z: 3 } })
  })

  test('anchors, flow maps and other indents are merged by value', () => {
    const yours = 'base: &b {x: 1}\nuse: *b\nimage:\n    repository: shop/web\n    tag: mine\n'
    const { yaml } = mergeDocuments(
      'image:\n  repository: shop/web\n  tag: "1"\n',
      yours,
      'image:\n  repository: shop/web2\n  tag: "1"\n',
    )
    expect(readYamlValue(yaml)).toEqual({
      base: { x: 1 },
      use: { x: 1 },
      image: { repository: 'shop/web2', tag: 'mine' },
    })
    expect(yaml).toContain('base: &b {x: 1}\nuse: *b')
  })
})

const name = fc.constantFrom('a', 'b', 'c', 'd', 'name', 'port')
const leaf = fc.oneof(
  fc.constantFrom<unknown>('x', 'y y', '1', '', true, false, null, 0, 1, 2.5, 'one\ntwo\n'),
  fc.array(fc.constantFrom<unknown>('x', 1, true), { maxLength: 2 }),
)
const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
  tree: fc.dictionary(name, fc.oneof({ depthSize: 'small', maxDepth: 3 }, leaf, tie('tree')), { maxKeys: 5 }),
}))
/** A text of a tree with a comment above and beside some of its lines. */
const written = (value: Record<string, unknown>, marks: readonly number[], word: string) =>
  stringify(value)
    .split('\n')
    .flatMap((line, index) => {
      const isKey = /^ *[a-z]+:( [^|>]+)?$/.test(line)
      if (!isKey || !marks.includes(index % 7)) return [line]
      const indent = /^ */.exec(line)?.[0] ?? ''
      return index % 2 ? [`${line} # ${word} ${index}`] : [`${indent}# ${word} ${index}`, line]
    })
    .join('\n')
const marks = fc.array(fc.nat(6), { maxLength: 3 })
const documents = fc.tuple(tree, tree, tree, marks, fc.boolean()).map(([a, b, c, at, isNear]) => {
  // Mostly a person's document is the chart's with a few changes.
  const own = isNear ? { ...a, ...Object.fromEntries(Object.entries(b).slice(0, 2)) } : b
  const next = isNear ? { ...a, ...Object.fromEntries(Object.entries(c).slice(0, 2)) } : c
  return [written(a, at, 'chart'), written(own, at, isNear ? 'chart' : 'mine'), written(next, at, 'chart')] as const
})

describe('whatever the documents are', { timeout: 60_000 }, () => {
  const runs = { numRuns: 200 }

  test('an untouched document becomes the new chart, byte by byte', () => {
    fc.assert(
      fc.property(documents, ([base, , next]) => {
        expect(mergeDocuments(base, base, next).yaml.trimEnd()).toBe(next.trimEnd())
      }),
      runs,
    )
  })

  test('an unchanged chart leaves the person their bytes', () => {
    fc.assert(
      fc.property(documents, ([base, own]) => {
        const { yaml, conflicts } = mergeDocuments(base, own, base)
        if (isFilled(own)) expect(yaml.trimEnd()).toBe(own.trimEnd())
        expect(conflicts).toEqual([])
      }),
      runs,
    )
  })

  test('every leaf is the one that was changed, and both changed is a conflict that keeps the own one', () => {
    fc.assert(
      fc.property(documents, ([base, own, next]) => {
        const { yaml, conflicts } = mergeDocuments(base, own, next)
        const [b, o, n, m] = [base, own, next, yaml].map((text) => readYamlValue(text) ?? {})
        if (!isFilled(own)) return
        for (const path of leafPaths(o)) {
          const at = [b, o, n, m].map((one) => valueAt(one, path)) as [unknown, unknown, unknown, unknown]
          const conflict = conflicts.find((one) => one.path.every((part, index) => part === path[index]))
          if (conflict || path.length === 0) expect(at[3]).toEqual(at[1])
          else if (sameValue(at[0], at[1]) && !isRecord(at[2])) expect(at[3]).toEqual(at[2])
          else if (!isInside(n, path)) expect([at[1], at[2]]).toContainEqual(at[3])
        }
        for (const { path, before: was, yours, theirs } of conflicts) {
          expect([valueAt(b, path), valueAt(o, path), valueAt(n, path)]).toEqual([was, yours, theirs])
          expect(sameValue(was, yours) || sameValue(was, theirs) || sameValue(yours, theirs)).toBe(false)
        }
      }),
      runs,
    )
  })

  test('a comment of the person is never lost while its setting stays', () => {
    fc.assert(
      fc.property(documents, fc.nat(20), ([base, , next], at) => {
        const lines = base.split('\n')
        const index = at % lines.length
        const line = lines[index] ?? ''
        const key = /^([a-z]+): [^|>]+$/.exec(line)?.[1]
        if (key === undefined) return
        const own = lines.with(index, `${line.replace(/ #.*/, '')} # my note`).join('\n')
        const { yaml } = mergeDocuments(base, own, next)
        if (valueAt(readYamlValue(next), [key]) !== undefined) expect(yaml).toContain('# my note')
        expect(readYamlValue(yaml)).toEqual(readYamlValue(mergeDocuments(base, base, next).yaml))
      }),
      runs,
    )
  })
})

function isFilled(text: string): boolean {
  const value = readYamlValue(text)
  return isRecord(value) && Object.keys(value).length > 0
}

function leafPaths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [path]
  return Object.entries(value).flatMap(([key, inner]) => leafPaths(inner, [...path, key]))
}

/** Tells whether something other than a map stands on the way to a path. */
function isInside(root: unknown, path: readonly string[]): boolean {
  return path.some((_, length) => length > 0 && !isRecord(valueAt(root, path.slice(0, length))))
}
