import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { unstorableAt } from './storable-text.ts'

test.each([
  ['plain text, in any script, with emoji and line ends', { name: 'Größe 大小 👩‍🚀\r\n\tnext' }, undefined],
  ['a zero', { name: 'a\0b' }, 'name'],
  ['a zero by its escape, deep inside', JSON.parse('{"a":[{"b":"\\u0000"}]}'), 'a.0.b'],
  ['an escape sequence of terminals', { tags: ['ok', '\u001b[2J'] }, 'tags.1'],
  ['half a character', JSON.parse('{"name":"\\ud83d"}'), 'name'],
  ['a name that is none', { 'a\0': 1 }, 'body'],
  ['a bare text', '\u007f', 'body'],
  ['numbers, nothing and truth', { a: 1, b: null, c: true, d: undefined }, undefined],
])('%s', (_, value, field) => {
  expect(unstorableAt(value, 'body')).toBe(field)
})

test('a body that is passed on as it comes is left alone', () => {
  const stream = Readable.from(['a\0b'])
  expect(unstorableAt(stream, 'body')).toBeUndefined()
  expect(unstorableAt(Buffer.from('a\0b'), 'body')).toBeUndefined()
})

test('maps of any making are looked through', () => {
  const made = Object.assign(Object.create(Object.create(null)), { name: 'a\0b' })
  expect(unstorableAt(made, 'path')).toBe('name')
})

test('depth takes no stack', () => {
  let deep: unknown = 'end\0'
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]
  expect(unstorableAt(deep, 'body')).toMatch(/^0\.0/)
})
