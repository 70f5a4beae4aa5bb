import { expect, test } from 'vitest'
import { repeatedKeys } from './repeated-keys.ts'

test('an entry whose key comes again is told with its line, in maps of every kind', () => {
  const text = `# values
image:
  tag: a
  tag: b
list:
- {x: 1, x: 2}
"1": a
image: {}
1: b
`
  expect(repeatedKeys(text)).toEqual([
    { path: 'image', line: 2, message: 'image comes again in line 8: the last one counts, this one does not' },
    { path: 'image.tag', line: 3, message: expect.stringContaining('line 4') },
    { path: 'list.0.x', line: 6, message: expect.stringContaining('line 6') },
    { path: '1', line: 7, message: expect.stringContaining('line 9') },
  ])
})

test('the same name in another map, and maps that are merged in, repeat nothing', () => {
  expect(repeatedKeys('a: &x {k: 1}\nb: {k: 1}\nc:\n  <<: *x\n  <<: {l: 1}\n  k: 2\n')).toEqual([])
  expect(repeatedKeys('a: [')).toEqual([])
})

test('a text of nothing else tells a few, and at once', () => {
  const text = 'a: 1\n'.repeat(5000)
  expect(repeatedKeys(text)).toHaveLength(50)
})
