import { expect, it } from 'vitest'
import { DisplayName } from './primitives.ts'

it.each([
  'Harbour',
  '  Kai 7 ',
  'قصر',
  'می\u200cخواهم',
  '👩\u200d💻',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '…',
  '港',
])('a name may be %j', (name) => expect(DisplayName.safeParse(name).success).toBe(true))

it.each([
  ['\u200b', 'zero-width space'],
  ['\u200d\u200c', 'joiners alone'],
  ['\u3164', 'Hangul filler'],
  ['\u115f\u1160', 'Hangul fillers'],
  ['\u2800', 'empty braille pattern'],
  ['\ufe0f', 'variation selector'],
  ['\u0301', 'accent alone'],
  ['\u00ad', 'soft hyphen'],
  ['\u202eruobraH', 'turned around'],
  ['Har\u2066bour\u2069', 'isolated'],
  ['Har\u200bbour', 'zero-width space within'],
  ['Har\u2028bour', 'line separator'],
  ['Har\tbour', 'tab'],
  [' ', 'space alone'],
])('a name may not be %j (%s)', (name) => expect(DisplayName.safeParse(name).success).toBe(false))
