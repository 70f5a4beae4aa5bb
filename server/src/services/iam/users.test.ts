import { expect, test } from 'vitest'
import { windowOf } from './users.ts'

test.each([
  [
    { total: 10, skip: 0, limit: 3 },
    { first: 7, max: 3 },
  ],
  [
    { total: 10, skip: 3, limit: 3 },
    { first: 4, max: 3 },
  ],
  [
    { total: 10, skip: 9, limit: 3 },
    { first: 0, max: 1 },
  ],
  [
    { total: 10, skip: 10, limit: 3 },
    { first: 0, max: 0 },
  ],
  [
    { total: 0, skip: 0, limit: 3 },
    { first: 0, max: 0 },
  ],
])('counting down, %j asks for %j', ({ total, skip, limit }, window) => {
  expect(windowOf(total, skip, limit, true)).toEqual(window)
})

test('counting up it asks for what was asked', () => {
  expect(windowOf(10, 3, 3, false)).toEqual({ first: 3, max: 3 })
})
