import { expect, test } from 'vitest'
import { createRefusalLimit } from './refusal-limit.ts'

test('an address is over its limit until the window has passed, and no other one is', () => {
  let now = 0
  const limit = createRefusalLimit(2, 1000, () => now)
  limit.count('a')
  expect(limit.isOver('a')).toBe(false)
  limit.count('a')
  expect([limit.isOver('a'), limit.isOver('b')]).toEqual([true, false])
  now = 1000
  expect(limit.isOver('a')).toBe(false)
  limit.count('a')
  expect(limit.isOver('a')).toBe(false)
})
