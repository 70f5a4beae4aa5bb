import { expect, test } from 'vitest'
import { isKept } from './restricted-values.ts'

test('what was deployed is kept: a value, or what was put in place of all that it stood in', () => {
  expect(isKept({ a: { b: 1 } }, { a: { b: 1 } }, ['a', 'b'])).toBe(true)
  expect(isKept({ a: { b: 1 } }, { a: { b: 2 } }, ['a', 'b'])).toBe(false)
  expect(isKept({ a: { c: 1 } }, { a: { b: 1 } }, ['a', 'b'])).toBe(false)
  expect(isKept({ a: null }, { a: null }, ['a', 'b'])).toBe(true)
  expect(isKept({ a: { b: 1 } }, { a: null }, ['a', 'b'])).toBe(false)
  expect(isKept({ a: [{ b: 1 }] }, { a: [{ b: 1 }] }, ['a', '0', 'b'])).toBe(true)
  expect(isKept({}, {}, ['a'])).toBe(false)
})
