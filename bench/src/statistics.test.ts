import { expect, test } from 'vitest'
import { median, quantile, ratioOf } from './statistics.ts'

test('quantiles lie between neighbours', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(quantile([1, 2, 3, 4, 5], 0.99)).toBeCloseTo(4.96)
  expect(() => median([])).toThrow('nothing was measured')
})

test('a ratio comes with an interval that holds it, wide when the rounds differ', () => {
  expect(ratioOf([2, 2, 2], [1, 1, 1])).toEqual({ ratio: 2, low: 2, high: 2 })
  const noisy = ratioOf([1, 2, 3, 4, 9], [1, 1, 1, 1, 1])
  expect(noisy.ratio).toBe(3)
  expect(noisy.low).toBeLessThan(3)
  expect(noisy.high).toBeGreaterThan(3)
})
