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

test('the addresses of one IPv6 network are one, as an IPv4 address is by either name', () => {
  const limit = createRefusalLimit(2)
  for (const address of ['2001:db8::1', '2001:db8::2', '::ffff:203.0.113.7', '203.0.113.7']) limit.count(address)
  expect(['2001:db8::3', '2001:db8:0:1::1', '203.0.113.7', '203.0.113.8'].map(limit.isOver)).toEqual([
    true,
    false,
    true,
    false,
  ])
})
