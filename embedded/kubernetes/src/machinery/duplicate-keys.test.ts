import { expect, test } from 'vitest'
import { duplicateKeys } from './duplicate-keys.ts'

test.each([
  ['{"a":1,"b":{"a":2}}', []],
  ['{"data":{"a":"1","a":"2"}}', ['data.a']],
  ['{"items":[{"x":1},{"x":1,"y":"}","x":2}],"items":[]}', ['items[1].x', 'items']],
  ['["a","a"]', []],
  ['{"a\\"":1,"a\\"":2}', ['a"']],
])('%s', (text, expected) => {
  expect(duplicateKeys(text)).toEqual(expected)
})
