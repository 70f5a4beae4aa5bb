import { expect, test } from 'vitest'
import { processBirth, startTicks } from './process-identity.ts'

const stat = (name: string, state: string) =>
  `42 (${name}) ${state} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987654 20 21`

test('reads the start time behind a name with spaces and brackets', () => {
  expect(startTicks(stat('a) S (b', 'S'))).toBe('987654')
})

test('a zombie is gone', () => {
  expect(startTicks(stat('node', 'Z'))).toBeUndefined()
})

test('this process has a birth, a number nobody has has none', () => {
  expect(processBirth(process.pid)).toBeTruthy()
  expect(processBirth(2 ** 22 + 1)).toBeUndefined()
})
