import { expect, it } from 'vitest'
import { tooMuchIn } from './bounded-json.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

it.each([
  ['a text', '"x"'],
  ['what is nested as deeply as may be', nested(200)],
  ['brackets, quotes and commas in texts', JSON.stringify({ '[{"': `${'[{"\\,'.repeat(60_000)}` })],
  ['many lists side by side', `[${Array(40_000).fill('[]').join(',')}]`],
])('%s is read', (_, text) => expect(tooMuchIn(text)).toBeUndefined())

it.each([
  ['one level more', nested(201), 'deep'],
  ['maps in maps', '{"a":'.repeat(201), 'deep'],
  ['too many values', `[${Array(100_001).fill(0).join(',')}]`, 'values'],
  ['behind a text that ends in a backslash', `["\\\\",${nested(201)}]`, 'deep'],
])('%s is not', (_, text, why) => expect(tooMuchIn(text)).toContain(why))
