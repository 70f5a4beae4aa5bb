import { expect, test } from 'vitest'
import { bucketSecondsOf, filledBuckets } from './buckets.ts'

const hour = 3_600_000

test.each([
  [hour, 300],
  [24 * hour, 3600],
  [7 * 24 * hour, 6 * 3600],
  [90 * 24 * hour, 7 * 86_400],
])('%i ms are at most 48 buckets of %i s', (range, seconds) => {
  expect(bucketSecondsOf(range)).toBe(seconds)
})

test('buckets without an action are there', () => {
  const [from, to] = [new Date('2031-05-01T10:20:00Z'), new Date('2031-05-01T12:10:00Z')]
  const one = { at: new Date('2031-05-01T11:00:00Z'), succeeded: 2, failed: 1, running: 0 }
  expect(filledBuckets([one], { from, to, seconds: 3600 })).toEqual([
    { at: '2031-05-01T10:00:00.000Z', succeeded: 0, failed: 0, running: 0 },
    { at: '2031-05-01T11:00:00.000Z', succeeded: 2, failed: 1, running: 0 },
    { at: '2031-05-01T12:00:00.000Z', succeeded: 0, failed: 0, running: 0 },
  ])
})
