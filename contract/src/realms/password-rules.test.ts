import { describe, expect, test } from 'vitest'
import { formatRules, judge, parseRules, rulesProblem } from './password-rules.ts'

const who = { username: 'mara', email: 'mara@demo.example' }

test("a policy is read from Keycloak's text and written back", () => {
  const text = 'length(8) and notUsername(undefined) and regexPattern(a(b)c)'
  expect(parseRules(text)).toEqual([
    { name: 'length', value: '8' },
    { name: 'notUsername', value: '' },
    { name: 'regexPattern', value: 'a(b)c' },
  ])
  expect(formatRules(parseRules(text))).toBe(text)
  expect(formatRules(parseRules('digits'))).toBe('digits(undefined)')
  expect([parseRules(''), formatRules([])]).toEqual([[], ''])
})

describe('a rule', () => {
  test.each([
    ['length(8)', 'seven77', 'broken'],
    ['length(4)', '🚢🚢🚢🚢', 'met'],
    ['length', 'seven77', 'broken'],
    ['maxLength(5)', 'sixsix', 'broken'],
    ['digits(2)', 'only 1', 'broken'],
    ['upperCase(1)', 'Жужа', 'met'],
    ['lowerCase(1)', 'UPPER', 'broken'],
    ['specialChars(1)', 'plain1', 'broken'],
    ['notUsername(undefined)', 'MARA', 'broken'],
    ['notContainsUsername(undefined)', 'xxmaraxx', 'broken'],
    ['notEmail(undefined)', 'mara@demo.example', 'broken'],
    ['passwordHistory(3)', 'anything', 'later'],
    ['regexPattern((a+)+b)', 'a'.repeat(200), 'later'],
  ])('%s of %s is %s', (text, password, verdict) => {
    const [rule] = parseRules(text)
    expect(rule && judge(rule, password, who)).toBe(verdict)
  })
})

test.each([
  ['length(8) and digits(1)', undefined],
  ['', undefined],
  ['whatever(a b c)', undefined],
  ['length(8) and length(9)', 'length stands twice'],
  ['length(9999)', 'length takes a whole number from 1 to 256'],
  ['digits(-1)', 'digits takes a whole number from 1 to 64'],
  ['length(20) and maxLength(12)', 'length is more than maxLength'],
  ['at least eight', 'at least eight is no rule: a rule is written as length(8)'],
])('%s: %s', (text, problem) => expect(rulesProblem(text)).toBe(problem))
