import { expect, test } from 'vitest'
import { refusalText } from './refusal-text.ts'

test.each([
  [1, '1 second,'],
  [59, '59 seconds,'],
  [60, '1 minute,'],
  [61, '2 minutes,'],
  [undefined, 'Ask an administrator'],
])('a wait of %s seconds', (waitSeconds, said) => expect(refusalText({ waitSeconds })).toContain(said))
