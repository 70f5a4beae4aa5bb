import { beforeEach, expect, it } from 'vitest'
import { noteSignIn, withOneMore } from './sign-in-limit.ts'

beforeEach(() => sessionStorage.clear())

it('stops the fifth sign-in within half a minute, and forgets older ones', () => {
  expect([1, 2, 3, 4, 5].map((second) => noteSignIn(second * 1000))).toEqual([true, true, true, true, false])
  expect(noteSignIn(40_000)).toBe(true)
})

it('counts only what is recent', () => {
  expect(withOneMore([0, 1000, 2000, 3000], 30_500)).toEqual([1000, 2000, 3000, 30_500])
})
