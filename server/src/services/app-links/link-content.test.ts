import { expect, it } from 'vitest'
import { contentOf, nameKey, withTag } from './link-content.ts'

const before = { description: 'Old', color: '#112233', tags: ['old'] }
const sent = { name: 'Wiki', url: 'HTTPS://Wiki.Example.org' }

it('a new link has nothing that was not sent', () => {
  expect(contentOf(sent)).toEqual({
    ...{ name: 'Wiki', name_key: 'wiki', url: 'https://wiki.example.org/', description: '', color: null, tags: [] },
  })
})

it('keeps what is left out, and takes what is sent empty', () => {
  expect(contentOf(sent, before)).toMatchObject(before)
  const emptied = { description: '', color: null, tags: [] }
  expect(contentOf({ ...sent, ...emptied }, before)).toMatchObject(emptied)
})

it('has each tag once, in the order in which they were given', () => {
  expect(contentOf({ ...sent, tags: ['b', 'a', 'b'] }).tags).toEqual(['b', 'a'])
})

it.each([
  ['another case', 'WIKI'],
  ['a joiner in it', 'Wi\u200dki'],
  ['full-width letters', 'Ｗｉｋｉ'],
])('a name with %s looks the same', (_, name) => {
  expect(nameKey(name)).toBe(nameKey('Wiki'))
})

it('blanks of every width are one, and an accent is one letter or two signs', () => {
  expect(nameKey('Caf\u0065\u0301\u2003 bar')).toBe(nameKey('Caf\u00e9 bar'))
  expect(nameKey('Cafe bar')).not.toBe(nameKey('Café bar'))
})

it('adds a tag once and up to the limit, and takes it off', () => {
  const many = Array.from({ length: 30 }, (_, at) => `t${at}`)
  expect(withTag(['a'], 'b', true)).toEqual(['a', 'b'])
  expect(withTag(['a'], 'a', true)).toEqual(['a'])
  expect(withTag(many.slice(1), 'one more', true)).toHaveLength(30)
  expect(withTag(many, 'one more', true)).toBeUndefined()
  expect(withTag(many, 't3', true)).toEqual(many)
  expect(withTag(['a', 'b'], 'a', false)).toEqual(['b'])
  expect(withTag(['a'], 'absent', false)).toEqual(['a'])
})
