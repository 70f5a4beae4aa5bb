import { expect, test } from 'vitest'
import { hasRules, ruleErrors, ruleProblems } from './schema-rules.ts'

const rule = (text: string, more: object = {}) => ({ rule: text, ...more })
const schemaOf = (rules: object[], parts: object = {}) => ({
  type: 'object',
  'x-kubernetes-validations': rules,
  properties: { arms: { type: 'integer' }, paint: { type: 'string' }, 'the-end': { type: 'string' }, ...parts },
})
const said = (schema: object, value: unknown, old?: unknown) =>
  ruleErrors(schema as Record<string, unknown>, value, old, 'spec').map(({ field, message }) => `${field}: ${message}`)

test.each([
  ['self.arms < 5', { arms: 4 }, []],
  ['self.arms / 2 == 2', { arms: 5 }, []],
  [
    "!has(self.paint) || self.paint.matches('^r')",
    { paint: 'blue' },
    ["spec: Invalid value: failed rule: !has(self.paint) || self.paint.matches('^r')"],
  ],
  ["self.the__dash__end == 'x'", { 'the-end': 'x' }, []],
  ['self.arms > 1', {}, ['spec: Invalid value: "object": no such key: arms evaluating rule: self.arms > 1']],
])('%s of %j', (text, value, expected) => {
  expect(said(schemaOf([rule(text)]), value)).toEqual(expected)
})

test('messages, reasons and places are as the rule says', () => {
  expect(said(schemaOf([rule('false', { message: 'no', fieldPath: '.arms' })]), {})).toEqual([
    'spec.arms: Invalid value: no',
  ])
  expect(said(schemaOf([rule('false', { messageExpression: "'so ' + 'it is'" })]), {})).toEqual([
    'spec: Invalid value: so it is',
  ])
  expect(said(schemaOf([rule('false', { message: 'no', reason: 'FieldValueForbidden' })]), {})).toEqual([
    'spec: Forbidden: no',
  ])
})

test('what was is compared only where something was', () => {
  const arms = { type: 'integer', 'x-kubernetes-validations': [rule('self >= oldSelf', { message: 'arms stay' })] }
  expect(said(schemaOf([], { arms }), { arms: 1 })).toEqual([])
  expect(said(schemaOf([], { arms }), { arms: 1 }, { arms: 2 })).toEqual(['spec.arms: Invalid value: 1: arms stay'])
})

test('items of a keyed list remember themselves by their key', () => {
  const items = schemaOf([rule('self.arms == oldSelf.arms', { message: 'fixed' })])
  const robots = { type: 'array', 'x-kubernetes-list-map-keys': ['paint'], items }
  const before = {
    robots: [
      { paint: 'red', arms: 1 },
      { paint: 'blue', arms: 2 },
    ],
  }
  const after = {
    robots: [
      { paint: 'blue', arms: 2 },
      { paint: 'red', arms: 3 },
      { paint: 'new', arms: 9 },
    ],
  }
  expect(said(schemaOf([], { robots }), after, before)).toEqual(['spec.robots[1]: Invalid value: fixed'])
})

test('rules that cannot be read, or speak of fields that are not there, are found', () => {
  const found = (text: string) =>
    ruleProblems(schemaOf([rule(text)]), 'schema').map(({ field, message }) => `${field}: ${message}`)
  expect(found('self.arms <')[0]).toContain('schema.x-kubernetes-validations[0].rule: Invalid value:')
  expect(found('self.wings > 1')[0]).toContain("undefined field 'wings'")
  expect(found('has(self.arms) && self.paint.size() > 1')).toEqual([])
  expect([hasRules(schemaOf([])), hasRules({ properties: { a: schemaOf([rule('true')]) } })]).toEqual([true, true])
  expect(hasRules({ properties: { a: { type: 'string' } } })).toBe(false)
})
