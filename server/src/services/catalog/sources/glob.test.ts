import { expect, test } from 'vitest'
import { isWanted, matchesGlob } from './glob.ts'

test.each([
  ['nginx', 'nginx', true],
  ['nginx', 'nginx-ingress', false],
  ['nginx*', 'nginx-ingress', true],
  ['*', '', true],
  ['*-operator', 'prometheus-operator', true],
  ['*-operator', 'operator', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['*a*b', 'xaxxb', true],
  ['*a*b', 'xaxxbc', false],
  ['a.c', 'abc', false],
])('%s and %s: %s', (pattern, name, expected) => expect(matchesGlob(pattern, name)).toBe(expected))

test('a pattern of many stars takes no longer than the name', () => {
  const begun = performance.now()
  expect(matchesGlob(`${'*a'.repeat(99)}b`, 'a'.repeat(250))).toBe(false)
  expect(performance.now() - begun).toBeLessThan(500)
})

test('patterns choose, and leave out', () => {
  expect(isWanted([], 'web')).toBe(true)
  expect(isWanted(['web*', '!web-old'], 'web-new')).toBe(true)
  expect(isWanted(['web*', '!web-old'], 'web-old')).toBe(false)
  expect(isWanted(['!web'], 'shop')).toBe(true)
  expect(isWanted(['web'], 'shop')).toBe(false)
})
