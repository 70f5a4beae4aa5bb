import { expect, test } from 'vitest'
import { selectorOf } from './selector.ts'

test('labels are matched as a whole', () => {
  expect(selectorOf('up', { tenant: 'demo', space: 'a-1' })).toBe('up{tenant="demo",space="a-1"}')
})

test.each([
  ['a quote', '"} or up{tenant="other', '\\"} or up{tenant=\\"other'],
  ['a backslash', 'a\\', 'a\\\\'],
  ['a new line', 'a\nb', 'a\\nb'],
  ['half a character', 'a\ud800', 'a\ufffd'],
])('%s ends no value', (_, value, written) => {
  expect(selectorOf('up', { space: value })).toBe(`up{space="${written}"}`)
})
