import { expect, test } from 'vitest'
import { isMultipleOf } from './multiple-of.ts'

test.each([
  [0.3, 0.05, true],
  [0.31, 0.05, false],
  [-1.1, 0.1, true],
  [19.99, 0.01, true],
  [19.995, 0.01, false],
  [0, 0.7, true],
  [7, 2, false],
  [1e21, 3, false],
  [1e308, 1e-308, true],
  [1e-7, 2e-7, false],
  [5, 0, true],
])('%s is a multiple of %s: %s', (value, step, is) => {
  expect(isMultipleOf(value, step)).toBe(is)
})
