import { expect, it } from 'vitest'
import { storedJson } from './stored-json.ts'

it.each([
  ['a half of a character', `${'x'.repeat(3)}😀`.slice(0, 4), 'xxx\ufffd'],
  ['its other half', '😀y'.slice(1), '\ufffdy'],
  ['a null character', 'a\0b', 'a\ufffdb'],
  ['a whole character', 'a😀b', 'a😀b'],
  ['a backslash before letters that look like one', '\\ud83d \\\\u0000', '\\ud83d \\\\u0000'],
  ['line ends and quotes', '"\n\t', '"\n\t'],
])('%s is stored', (_, text, stored) => {
  expect(JSON.parse(storedJson({ [text]: [text] }))).toEqual({ [stored]: [stored] })
})
