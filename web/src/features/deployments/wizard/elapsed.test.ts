import { expect, it } from 'vitest'
import { clockWords, spanWords } from './elapsed.ts'

it('says spans in words and as a clock', () => {
  expect([2100, 41_400, 185_000, -5].map(spanWords)).toEqual(['2.1 s', '41 s', '3 min 05 s', '0.0 s'])
  expect([0, 61_000, 6_000_000, -1].map(clockWords)).toEqual(['00:00', '01:01', '100:00', '00:00'])
})
