import { expect, it } from 'vitest'
import { matchesAny } from './matches-any.ts'

const option = { value: '8kx2m4a', label: 'Shop production', lines: ['ID: 8kx2m4a', 'DEPLOYED APPS: 3'], extra: null }

it.each([
  ['', true],
  ['  SHOP ', true],
  ['apps: 3', true],
  ['8KX', true],
  ['sandbox', false],
])('%j matches: %s', (text, matches) => {
  expect(matchesAny(option, text)).toBe(matches)
})
