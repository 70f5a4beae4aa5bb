import { expect, it } from 'vitest'
import { pauseMs } from './reload-when-back.ts'

it('looks soon at first, then more rarely, and not at once again when loading anew did not help', () => {
  expect([0, 1, 2, 9].map((looks) => pauseMs(looks, 0))).toEqual([2000, 4000, 8000, 60_000])
  expect(pauseMs(0, 3)).toBe(16_000)
})
