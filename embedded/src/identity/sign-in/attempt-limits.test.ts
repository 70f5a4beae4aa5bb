import { expect, test } from 'vitest'
import { attemptLimit } from './attempt-limits.ts'

test('so many attempts per key and window; a good one is given back', () => {
  const limit = attemptLimit(2, 1000)
  expect([limit.take('a', 0), limit.take('a', 1), limit.take('a', 2)]).toEqual([true, true, false])
  expect(limit.take('b', 2)).toBe(true)
  limit.giveBack('a')
  expect(limit.take('a', 3)).toBe(true)
  expect(limit.take('a', 4)).toBe(false)
  expect(limit.take('a', 1001)).toBe(true)
})
