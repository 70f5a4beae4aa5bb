import { expect, test } from 'vitest'
import { matchesLabels, parseSelector, selectorRequirements } from './selectors.ts'

const LABELS = { app: 'web', tier: 'front', weight: '7' }

test.each([
  ['app=web', true],
  ['app==web,tier!=back', true],
  ['app in (web, api),!beta', true],
  ['tier notin (front)', false],
  ['missing notin (x)', true],
  ['app', true],
  ['!app', false],
  ['weight>5,weight<9', true],
  ['empty=', false],
  ['', true],
])('%s', (selector, expected) => {
  expect(matchesLabels(LABELS, parseSelector(selector))).toBe(expected)
})

test.each(['app=web,', 'app in web', '=x', 'app in (a'])('%s is refused with 400', (selector) => {
  expect(() => parseSelector(selector)).toThrow(expect.objectContaining({ code: 400 }))
})

test('a selector object asks for all of its labels and expressions', () => {
  const selector = {
    matchLabels: { app: 'web' },
    matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
  }
  expect(matchesLabels(LABELS, selectorRequirements(selector))).toBe(true)
  expect(matchesLabels({ app: 'web' }, selectorRequirements(selector))).toBe(false)
})
