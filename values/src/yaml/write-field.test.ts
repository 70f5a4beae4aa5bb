import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valueAt, withValueAt } from './plain-values.ts'
import { writeField, writeFields } from './write-field.ts'
import { readYamlValue } from './yaml-document.ts'

const chart = `# Values of a web shop
replicas: 2 # how many
image:
  # where from
  repository: "docker.io/shop/web"
  tag: 'v1.10'
  pullPolicy:   IfNotPresent
empty:
resources: {}   # none
args:
- --port
- "80"
env:
  - name: A
    value: &a one
  - name: B
    value: *a
script: |
  echo hello
  exit 0
flow: {a: 1, b: [x, y]}
nothing: ~
# the end
`

describe('writing one value', () => {
  const cases: [string, (string | number)[], unknown, string, string][] = [
    ['a number before its comment', ['replicas'], 3, 'replicas: 2 #', 'replicas: 3 #'],
    ['a text keeps double quotes', ['image', 'repository'], 'x y', '"docker.io/shop/web"', '"x y"'],
    ['a text keeps single quotes', ['image', 'tag'], "it's", "'v1.10'", "'it''s'"],
    ['a plain text stays plain', ['image', 'pullPolicy'], 'Always', 'IfNotPresent', 'Always'],
    ['a plain text that would read as another type is quoted', ['image', 'pullPolicy'], 'no', 'IfNotPresent', '"no"'],
    ['a value where none was', ['empty'], 5, 'empty:', 'empty: 5'],
    [
      'a map for an empty one goes below the comment',
      ['resources'],
      { limits: { cpu: 1 } },
      'resources: {}   # none',
      'resources:    # none\n  limits:\n    cpu: 1',
    ],
    ['an entry of a list', ['args', 1], '81', '"80"', '"81"'],
    ['one more entry', ['args', 2], 'x', '- "80"', '- "80"\n- x'],
    ['a new key goes behind the last', ['image', 'digest'], 'abc', 'IfNotPresent', 'IfNotPresent\n  digest: abc'],
    ['an alias gives way to a value', ['env', 1, 'value'], 'two', '*a', 'two'],
    ['a block text stays one', ['script'], 'a: b\nc\n', '|\n  echo hello\n  exit 0', '|\n  a: b\n  c'],
    ['inside of a flow map', ['flow', 'b', 1], 'z', '[x, y]', '[x, z]'],
    ['a new key in a flow map', ['flow', 'c'], true, '[x, y]}', '[x, y], c: true}'],
    ['a list becomes empty', ['args'], [], 'args:\n- --port\n- "80"', 'args: []'],
    ['a map in place of a list', ['args'], { a: 1 }, '- --port\n- "80"', '  a: 1'],
    ['a key is taken out with its line', ['image', 'tag'], undefined, "  tag: 'v1.10'\n", ''],
    ['an entry is taken out', ['args', 0], undefined, '- --port\n', ''],
    ['a branch is taken out', ['script'], undefined, 'script: |\n  echo hello\n  exit 0\n', ''],
    ['what is not there stays away', ['absent', 'x'], undefined, '', ''],
    ['null', ['nothing'], null, '~', '~'],
    ['a number that was null', ['nothing'], 0, '~', '0'],
  ]
  it.each(cases)('%s', (_, path, value, from, to) => {
    expect(writeField(chart, path, value)).toBe(chart.replace(from, to))
  })

  it('adds a branch that is not there and fills an empty document', () => {
    expect(writeField('a: 1\n', ['b', 'c', 'd'], 'x')).toBe('a: 1\nb:\n  c:\n    d: x\n')
    expect(writeField('# nothing yet', ['a'], 1)).toBe('# nothing yet\na: 1\n')
    expect(writeField('', ['a', 0], 1)).toBe('a:\n  - 1\n')
  })

  it('keeps Windows line ends readable and leaves an unchanged text alone', () => {
    expect(readYamlValue(writeField('a: 1\r\nb:\r\n  c: 2\r\n', ['b', 'c'], 3))).toEqual({ a: 1, b: { c: 3 } })
    expect(writeField(chart, ['image', 'tag'], 'v1.10')).toBe(chart)
  })

  it('refuses a text that is not YAML', () => {
    expect(() => writeField('a: [', ['a'], 1)).toThrow(/line 1/)
  })
})

const key = fc.oneof(
  fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,6}$/),
  fc.constantFrom('on', 'no', '1', 'a b', 'x.y', '#h', '-'),
)
const text = fc.oneof(
  fc.string({ maxLength: 12, unit: 'grapheme' }),
  fc.constantFrom(
    'yes',
    '0123',
    '1e3',
    '~',
    'a: b',
    ' x',
    'x ',
    'one\ntwo\n',
    'one\n\n  two',
    '# no',
    '*a',
    '&b',
    '\t',
    '@x',
    "it's",
    '"',
    'null',
    '2024-01-01',
    '|',
    '- a',
    'a #b',
    '...',
    '---',
  ),
)
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}))
const styleSeed = fc.infiniteStream(fc.nat(11))

/** JSON leaves breaks as they are that YAML takes for the end of a line. */
function quoted(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Writes a value as YAML in ever changing styles: margins, comments, flow and block, quotes. */
function written(value: unknown, next: () => number, margin: string): string {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  const isFilled = Array.isArray(value) ? value.length > 0 : isMap && Object.keys(value as object).length > 0
  if (!isFilled || next() === 0) return ` ${quoted(value)}${next() < 3 ? '  # beside' : ''}\n`
  const inner = margin + ' '.repeat(1 + (next() % 4))
  const lead = () => (next() < 2 ? `${inner}# above\n` : next() === 3 ? '\n' : '')
  const head = next() < 2 ? ' # head\n' : '\n'
  if (Array.isArray(value))
    return head + value.map((item) => `${lead()}${inner}-${written(item, next, inner)}`).join('')
  const entries = Object.entries(value as object)
  return head + entries.map(([name, item]) => `${lead()}${inner}${quoted(name)}:${written(item, next, inner)}`).join('')
}

function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...entries.flatMap(([name, inner]) => pathsOf(inner, [...path, name]))]
}

describe('any document', () => {
  it('reads as wanted after any change', { timeout: 30_000 }, () => {
    const document = fc.tuple(fc.dictionary(key, anyValue, { minKeys: 1, maxKeys: 5 }), styleSeed)
    fc.assert(
      fc.property(document, fc.nat(), anyValue, ([root, stream], pick, value) => {
        const yaml = written(root, () => stream.next().value ?? 0, '').replace(/^ *(?:# head)?\n/, '')
        const before = readYamlValue(yaml)
        expect(before).toEqual(JSON.parse(JSON.stringify(root)))
        const paths = pathsOf(before).filter((path) => path.length > 0)
        const path = paths[pick % paths.length] ?? []
        const result = writeField(yaml, path, value)
        expect(readYamlValue(result)).toEqual(withValueAt(before, path, value))
      }),
      { numRuns: 1500 },
    )
  })

  it('keeps every byte around a scalar', { timeout: 30_000 }, () => {
    const document = fc.tuple(fc.dictionary(key, anyValue, { minKeys: 1, maxKeys: 5 }), styleSeed)
    fc.assert(
      fc.property(
        document,
        fc.nat(),
        fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom('word', 'a: b')),
        ([root, stream], pick, value) => {
          const yaml = written(root, () => stream.next().value ?? 0, '').replace(/^ *(?:# head)?\n/, '')
          const before = readYamlValue(yaml)
          const isScalar = (one: unknown) => typeof one !== 'object' || one === null
          const paths = pathsOf(before).filter((path) => path.length > 0 && isScalar(valueAt(before, path)))
          const path = paths[pick % paths.length]
          if (!path) return
          const old = quoted(valueAt(before, path))
          const result = writeField(yaml, path, value)
          let start = 0
          while (start < yaml.length && yaml[start] === result[start]) start += 1
          let end = 0
          while (end < yaml.length - start && end < result.length - start && yaml.at(-1 - end) === result.at(-1 - end))
            end += 1
          expect(yaml.length - start - end).toBeLessThanOrEqual(old.length)
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('a large document', () => {
  const lines = Array.from(
    { length: 1250 },
    (_, i) => `# about ${i}\nsection${i}:\n  enabled: true # yes\n  image: "x/${i}"`,
  )
  const yaml = `${lines.join('\n')}\n`
  it('takes one change and a hundred in a bounded time', () => {
    const start = performance.now()
    expect(writeField(yaml, ['section600', 'image'], 'new')).toBe(yaml.replace('"x/600"', '"new"'))
    const changes = Array.from({ length: 100 }, (_, i) => ({ path: [`section${i * 10}`, 'enabled'], value: false }))
    expect(writeFields(yaml, changes).split('enabled: false').length).toBe(101)
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
