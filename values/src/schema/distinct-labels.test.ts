import { expect, test } from 'vitest'
import { applyConfig } from '../form/apply-config.ts'
import { fieldsOf } from '../form/fields.ts'
import { changeValues, openValues } from '../form/values-model.ts'

const one = (property: object) => ({ properties: { size: property } })
const labelsOf = (property: object) => fieldsOf('size: 1\n', one(property))[0]?.options?.map(({ label }) => label)

test('options that look alike are told apart, and the same one is not offered twice', () => {
  expect(labelsOf({ enum: [1, '1', 2, 1] })).toEqual(['1', '"1"', '2'])
  expect(labelsOf({ enum: [true, 'true', null, 'null', '(none)'] })).toEqual([
    'true',
    '"true"',
    '(none) (null)',
    'null',
    '"(none)"',
  ])
  expect(labelsOf({ enum: ['a', 'b'] })).toEqual(['a', 'b'])
  expect(labelsOf({ oneOf: [{ const: 1, title: 'Small' }, { const: '1', title: 'Small' }, { const: 2 }] })).toEqual([
    'Small (1)',
    'Small ("1")',
    '2',
  ])
})

test('alternatives of the same name are numbered', () => {
  const forms = [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }, { type: 'null' }]
  const [field] = fieldsOf('size:\n  a: x\n', one({ oneOf: [...forms, { title: 'Other', type: 'string' }] }))
  expect(field?.choices?.map(({ label }) => label)).toEqual(['Group 1', 'Group 2', 'Nothing', 'Other'])
})

test('each is written with its own type, from the form and from its configuration', () => {
  const schema = one({ enum: [1, '1'] })
  const model = openValues('size: 1 # of it\n', schema)
  const changed = changeValues(model, ['size'], { kind: 'value', value: '1' })
  expect(changed.text).toBe('size: "1" # of it\n')
  expect(changeValues(changed, ['size'], { kind: 'value', value: 1 }).text).toBe('size: 1 # of it\n')
  const [field] = fieldsOf('size: 1\n', schema)
  if (!field) return expect.fail('no field')
  expect(applyConfig('size: 1\n', [{ ...field, value: '1' }])).toBe('size: "1"\n')
  expect(applyConfig('size: "1"\n', [{ ...field, value: 1 }])).toBe('size: 1\n')
})
