import { expect, it } from 'vitest'
import { SourceInput } from './sources.ts'

const source = { name: 'Harbour', kind: 'helm', address: 'https://charts.example.org' }

/** The fields for which an input is refused. */
const wrongIn = (more: object) =>
  SourceInput.safeParse({ ...source, ...more }).error?.issues.map(({ path }) => path.join('.')) ?? []

it.each([
  ['a line end in a password', { signIn: 'password', username: 'ann', secret: 'a\r\nx-more: 1' }, ['secret']],
  ['a tab in a user name', { signIn: 'password', username: 'an\tn', secret: 'a' }, ['username']],
  ['a colon in a user name', { signIn: 'password', username: 'ann:x', secret: 'a' }, ['username']],
  ['no user name beside a password', { signIn: 'password', secret: 'a' }, ['username']],
  ['a space in a token', { signIn: 'token', secret: 'a b' }, ['secret']],
  ['an empty secret', { signIn: 'token', secret: '' }, ['secret', 'secret']],
  ['a password of any kind', { signIn: 'password', username: 'ann', secret: 'a bö:c' }, []],
  ['twenty versions', { versions: 20 }, []],
  ['more than twenty versions', { versions: 21 }, ['versions']],
  ['no version', { versions: 0 }, ['versions']],
  ['a schedule that is not offered', { everyHours: 2 }, ['everyHours']],
  ['no schedule', { everyHours: null }, []],
])('a source with %s', (_, more, fields) => {
  expect(wrongIn(more)).toEqual(fields)
})
