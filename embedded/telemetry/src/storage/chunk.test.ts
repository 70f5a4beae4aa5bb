import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isStale, markStale } from '../evaluation/value.ts'
import { packChunk, unpackChunk } from './chunk.ts'

test('samples come out of a chunk as they went in', () => {
  const sample = fc.tuple(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.double())
  fc.assert(
    fc.property(fc.uniqueArray(sample, { selector: ([time]) => time, maxLength: 120 }), (samples) => {
      const ordered = samples.toSorted(([one], [other]) => one - other)
      const times = Float64Array.from(ordered, ([time]) => time)
      const values = Float64Array.from(ordered, ([, value]) => value)
      const found = unpackChunk(packChunk({ times, values }))
      expect(found.times).toEqual(times)
      expect(found.values).toEqual(values)
    }),
  )
})

test('the end of a series is told from a value that is no number', () => {
  const values = new Float64Array([1, Number.NaN, 0])
  markStale(values, 2)
  const found = unpackChunk(packChunk({ times: new Float64Array([1, 2, 3]), values })).values
  expect([0, 1, 2].map((index) => isStale(found, index))).toEqual([false, false, true])
})

test('a counter that is read every 30 seconds takes less than five bytes a sample', () => {
  const times = Float64Array.from({ length: 120 }, (_, index) => 1_700_000_000_000 + index * 30_000)
  const values = Float64Array.from({ length: 120 }, (_, index) => index * 7)
  expect(packChunk({ times, values }).length / 120).toBeLessThan(5)
})
