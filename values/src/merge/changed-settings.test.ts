import { expect, test } from 'vitest'
import { secretMark } from '../secrets/secret-mark.ts'
import { changedSettings } from './changed-settings.ts'

const changes = (before: string, after: string, more: { defaults?: string; schema?: unknown } = {}) =>
  changedSettings({ before, after, defaults: more.defaults ?? before, schema: more.schema })
const lines = (before: string, after: string, more?: Parameters<typeof changes>[2]) =>
  changes(before, after, more).shown.map((one) => `${one.path}: ${one.before ?? '-'} → ${one.after ?? '-'}`)

test('names each setting that is another one, with what it was and what it is', () => {
  const before = 'replicas: 1\nimage: {tag: "1"}\ntags: [a]\nold: x\nsame: 1 # here\nempty: {}\nnote: ""\n'
  const after =
    'same: 1\nreplicas: 2\nimage:\n  tag: "2"\n  pull: true\ntags: [a, b]\nempty:\n  some: 1\nnote: |\n  two\n  lines\n'
  expect(lines(before, after)).toEqual([
    'replicas: 1 → 2',
    'image.tag: 1 → 2',
    'image.pull: - → true',
    'tags: [a] → [a, b]',
    'empty.some: - → 1',
    'note: "" → "two\\nlines\\n"',
    'old: x → -',
  ])
})

test.each([
  ['the same text', 'a: 1\n', 'a: 1\n'],
  ['another order, other comments', 'a: 1\nb: {c: 2}\n', '# a\nb:\n  c: 2\na: 1\n'],
  ['nothing and null', 'a: 1\nb:\n', 'a: 1\n'],
  ['a secret that stays', 'password: x\n', `password: ${secretMark}\n`],
  ['nothing at all', '', '# only a comment\n'],
])('%s is no difference', (_, before, after) => {
  expect(changes(before, after)).toEqual({ count: 0, shown: [] })
})

test('secrets are counted and not shown, whoever says that they are ones', () => {
  const before = '# @MASKED\ncode: north1\nberth: south2\nusers: [{name: ann, token: east3}]\nurl: http://h/\n'
  const after = `code: west4
berth: coast5
users: [{name: ann, token: bay6}]
url: http://shop:harbour7@h/
password: tide8
`
  const found = changes(before, after, { schema: { properties: { berth: { writeOnly: true } } } })
  expect(found.count).toBe(5)
  expect(JSON.stringify(found)).not.toMatch(/north1|south2|east3|west4|coast5|bay6|harbour7|tide8/)
  expect(found.shown[0]).toEqual({ path: 'code', before: secretMark, after: `${secretMark} (changed)` })
})

test('of a list only the entries that differ are shown, and which of their secrets do', () => {
  const users = (one: string, two: string) =>
    `users: [{name: ann, password: ${one}}, {name: bob, password: ${two}}, {name: eve, age: 1}]\n`
  const hidden = secretMark
  expect(lines(users('north1', 'south2'), users('north1', 'coast5'))).toEqual([
    `users: […, {name: bob, password: ${hidden}}] → […, {name: bob, password: ${hidden} (changed)}]`,
  ])
})

test('what is many or long is cut, and counted as a whole', () => {
  const many = Array.from({ length: 400 }, (_, index) => `s${index}: ${'x'.repeat(1000)}`).join('\n')
  const { count, shown } = changes('', many)
  expect([count, shown.length]).toEqual([400, 50])
  expect(shown[0]?.after).toMatch(/^x{79}…$/)
})

test('a setting that became a map, and a map that became one, is one', () => {
  expect(lines('a: 1\nb: {c: 1}\n', 'a: {c: 1}\nb: 1\n')).toEqual(['a: 1 → {c: 1}', 'b: {c: 1} → 1'])
})

test('between two masked texts the marks tell what differs', () => {
  const before = `password: "${secretMark}"\ntoken: "${secretMark}"\ngone: 1\n`
  const after = `password: "${secretMark} (changed)"\ntoken: "${secretMark}"\nsecret: "${secretMark}"\n`
  const found = changedSettings({ before, after, defaults: '', schema: undefined, isMasked: true })
  expect(found.shown.map(({ path }) => path)).toEqual(['password', 'secret', 'gone'])
  expect(changes(before, after).shown.map(({ path }) => path)).toEqual(['password', 'gone'])
})
