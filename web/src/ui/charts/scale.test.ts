import { expect, test } from 'vitest'
import { pathsOf, topOf } from './scale.ts'

test.each([
  [[], 1],
  [[0, 0], 1],
  [[0.034, 0.01], 0.04],
  [[1], 1],
  [[3.2, 5.5], 8],
  [[940], 1000],
])('%j are drawn up to %d', (values, top) => {
  expect(topOf(values)).toBeCloseTo(top)
})

test('bytes are drawn up to a round number of theirs', () => {
  expect(topOf([150 * 2 ** 20], 1024)).toBe(200 * 2 ** 20)
})

test('a gap stays a gap, and a point that stands alone is drawn', () => {
  expect(pathsOf([0, 1, null, 2, null], 2)).toEqual({
    line: 'M0 100L250 50M750 0h0',
    area: 'M0 100L0 100L250 50L250 100ZM750 100L750 0L750 100Z',
  })
})

test('a value above the top stays inside', () => {
  expect(pathsOf([8, 8], 4).line).toBe('M0 0L1000 0')
})
