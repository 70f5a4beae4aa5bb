import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readYamlValue } from '../yaml/yaml-document.ts'
import { maskDocument, maskValue, secretRanges, unmaskDocument } from './masking.ts'
import { secretMark } from './secret-mark.ts'
import { secretPathsOf } from './secret-paths.ts'

const schema = {
  properties: {
    login: { $ref: '#/$defs/login' },
    users: { type: 'array', items: { properties: { pin: { writeOnly: true } } } },
    tokens: { additionalProperties: { format: 'password' } },
    store: { oneOf: [{ properties: { kind: {} } }, { properties: { cert: { writeOnly: true } } }] },
  },
  $defs: { login: { properties: { word: { type: 'string', format: 'password' } } } },
}
const text = `# the shop
login:
  user: ann # who
  word: "hush one"   # at least 8
users:
  - name: ann
    pin: 1234
  - name: bob
    pin: "0007"
tokens: {a: first-token, b: ""}
store:
  kind: tls
  cert: |
    line one
    line two
# Never shown
# @MASKED
greeting: hello
codes: # @MASKED
  - c-one
  - c-two
rootPassword: toor
replicas: 2
`
const secrets = ['hush one', '1234', '0007', 'first-token', 'line one', 'line two', 'hello', 'c-one', 'c-two', 'toor']

describe('a document that leaves', () => {
  const masked = maskDocument(text, secretPathsOf(text, schema))

  test('says no secret, whoever declared it, and every other byte', () => {
    for (const secret of secrets) expect(masked).not.toContain(secret)
    expect(masked).toContain(`  word: "${secretMark}"   # at least 8\n`)
    expect(masked).toContain(`tokens: {a: "${secretMark}", b: ""}\n`)
    expect(masked).toContain('# Never shown\n# @MASKED\ngreeting: ')
    expect(masked.split('\n').filter((line) => !line.includes(secretMark))).toEqual(
      text.split('\n').filter((line) => ![...secrets, 'cert: |'].some((hidden) => line.includes(hidden))),
    )
  })

  test('comes back as it was when it is left alone', () => {
    const { yaml, missing } = unmaskDocument(masked, readYamlValue(text))
    expect(missing).toEqual([])
    expect(readYamlValue(yaml)).toEqual(readYamlValue(text))
  })

  test('a secret that was written anew replaces the kept one', () => {
    const { yaml } = unmaskDocument(masked.replace(`"${secretMark}"   #`, 'changed   #'), readYamlValue(text))
    expect(readYamlValue(yaml)).toMatchObject({ login: { word: 'changed' }, greeting: 'hello' })
  })

  test('entries of a list keep theirs by name, not by place', () => {
    const list = `users:\n  - name: bob\n    pin: ${secretMark}\n  - name: eve\n    pin: ${secretMark}\n`
    expect(unmaskDocument(list, readYamlValue(text))).toEqual({
      yaml: `users:\n  - name: bob\n    pin: "0007"\n  - name: eve\n    pin: ${secretMark}\n`,
      missing: [['users', 1, 'pin']],
    })
    const codes = `codes:\n  - ${secretMark}\n`
    expect(unmaskDocument(codes, readYamlValue(text)).missing).toEqual([['codes', 0]])
  })

  test('two entries of one name have no secret that could be told for either', () => {
    const kept = {
      users: [
        { name: 'ann', pin: 'first' },
        { name: 'ann', pin: 'second' },
      ],
    }
    const list = `users:\n  - name: ann\n    pin: ${secretMark}\n`
    expect(unmaskDocument(list, kept)).toEqual({ yaml: list, missing: [['users', 0, 'pin']] })
  })

  test('what is public may be spared', () => {
    const paths = secretPathsOf(text, schema)
    const open = maskDocument(text, paths, (_, value) => (value === 'hello' ? undefined : secretMark))
    expect(open).toContain('greeting: hello')
  })

  test('a single value is masked by where it stands', () => {
    const paths = secretPathsOf(text, schema)
    expect(maskValue({ user: 'ann', word: 'hush' }, paths, ['login'])).toEqual({ user: 'ann', word: secretMark })
    expect(maskValue('toor', paths, ['rootPassword'])).toBe(secretMark)
    expect(maskValue(2, paths, ['replicas'])).toBe(2)
  })
})

test('a schema that refers to itself ends', () => {
  const endless = {
    $defs: { node: { properties: { key: { writeOnly: true }, next: { $ref: '#/$defs/node' } } } },
    $ref: '#/$defs/node',
  }
  const deep = 'next:\n  next:\n    key: deep-secret\n'
  expect(maskDocument(deep, secretPathsOf(deep, endless))).not.toContain('deep-secret')
})

test('masking and unmasking whatever is secret gives the same values', () => {
  const word = fc.string({ minLength: 1, maxLength: 20 })
  const value = fc.oneof(word, fc.integer(), fc.array(word, { maxLength: 3 }), fc.record({ one: word, two: word }))
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), value), fc.subarray(['a', 'b', 'c']), (tree, named) => {
      const json = JSON.stringify(tree)
      const masked = maskDocument(
        json,
        named.map((name) => [name]),
      )
      expect(readYamlValue(unmaskDocument(masked, tree).yaml)).toEqual(readYamlValue(json))
    }),
    { numRuns: 300 },
  )
})

describe('where secrets stand', () => {
  const told = (text: string, schema?: unknown) =>
    secretRanges(text, schema).map(({ from, to }) => text.slice(from, to))

  test('is said in the order of the text, also where a key comes again', () => {
    expect(told('z:\n  password: one\n# @MASKED\nlist: [two, three]\ntoken: four\n')).toEqual([
      'one',
      'two',
      'three',
      'four',
    ])
    expect(told('password: one\npassword: two\n')).toEqual(['one', 'two'])
  })

  test('is nowhere in a text that is not YAML', () => {
    expect(told('a: [')).toEqual([])
  })
})
