import { expect, test } from 'vitest'
import { readIndex } from './read-index.ts'

const digest = 'ab'.repeat(32)
const entry = (more = '') => `
    - name: web
      version: 1.10.0
      digest: ${digest}
      urls: [charts/web-1.10.0.tgz, https://mirror.example.org/web.tgz]${more}`
const index = (entries: string) => `apiVersion: v1\nentries:\n  web:${entries}\n`

test('reads what a version is, and where it lies', () => {
  expect(readIndex(index(entry('\n      type: library')))).toEqual({
    entries: [{ chart: 'web', version: '1.10.0', digest, url: 'charts/web-1.10.0.tgz', isLibrary: true }],
    leftOut: [],
  })
})

test('no version becomes a number, and no digest is no digest', () => {
  const text = index('\n    - {name: web, version: 1.10, urls: [a]}')
  expect(readIndex(text)).toMatchObject({ entries: [{ version: '1.10', digest: null }] })
})

test.each([
  ['another name', '{name: shop, version: 1.0.0, urls: [a]}', ', such as 1.0.0: it is named otherwise than its chart'],
  ['no address', '{name: web, version: 1.0.0}', ', such as 1.0.0: it names no address'],
  ['an address that is no text', '{name: web, version: 1.0.0, urls: [[a]]}', ', such as 1.0.0: it names no address'],
  [
    'a path in its version',
    '{name: web, version: ../../1.0.0, urls: [a]}',
    ', such as ../../1.0.0: it states no version',
  ],
  ['a digest of another kind', '{name: web, version: 1.0.0, digest: md5, urls: [a]}', ', such as 1.0.0: its digest'],
  ['a text for a version', 'web', 'used: it is not a description of a version'],
])('leaves out a version with %s, and says so', (_, one, why) => {
  expect(readIndex(index(`\n    - ${one}`))).toEqual({
    entries: [],
    leftOut: [{ chart: 'web', version: '', message: expect.stringContaining(why) }],
  })
})

test('versions that cannot be used are counted by chart', () => {
  const text = index(`${entry()}\n    - {name: web, version: 1.0.0}\n    - {name: web, version: 2.0.0}`)
  expect(readIndex(text)).toMatchObject({
    entries: [{ version: '1.10.0' }],
    leftOut: [
      { message: expect.stringMatching(/^The index has 2 versions of it that cannot be used, such as 1\.0\.0: /) },
    ],
  })
})

test('a name that means something to JavaScript is no chart', () => {
  expect(readIndex('entries:\n  __proto__:\n    - {name: __proto__, version: 1.0.0, urls: [a]}\n')).toMatchObject({
    entries: [],
    leftOut: [{ chart: '__proto__', message: expect.stringContaining('charts have no such names') }],
  })
  expect(({} as Record<string, unknown>)[0]).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['a page', '<html><body>404</body></html>'],
  ['a list', '- a\n'],
  ['entries that are no map', 'entries: [a]\n'],
  ['broken YAML', 'entries: {web: [\n'],
  ['nesting without end', `entries: ${'['.repeat(5000)}`],
  [
    'a bomb of aliases',
    `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 200 }, (_, at) => `b${at}: *a`).join('\n')}`,
  ],
  ['more bytes than are read', `entries:\n# ${'x'.repeat(13 * 1024 * 1024)}`],
])('refuses %s', (_, text) => {
  expect(readIndex(text)).toHaveProperty('problem')
})

test('a version that stands behind an alias is read without making many of it', () => {
  const text = `base: &v {name: web, version: 1.0.0, urls: [a]}\nentries:\n  web: [*v, *v]\n`
  expect(readIndex(text)).toMatchObject({ entries: [{ version: '1.0.0' }, { version: '1.0.0' }] })
})
