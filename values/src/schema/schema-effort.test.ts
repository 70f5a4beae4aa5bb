import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { fieldsOf } from '../form/fields.ts'
import { outsideForm } from '../form/outside-form.ts'
import { changeValues, openValues } from '../form/values-model.ts'
import { shareableChanges } from '../merge/delta.ts'

/** Each holds itself more than once, so that every level has a multiple of the level above. */
const self = { $ref: '#/$defs/a' }
const names = Array.from({ length: 20 }, (_, at) => `p${at}`)
const ofNames = (schema: unknown) => Object.fromEntries(names.map((name) => [name, schema]))
const schemas: [string, object][] = [
  ['objects in objects', { required: names, properties: ofNames(self) }],
  ['choices in objects', { required: names, properties: ofNames({ oneOf: [self, { ...self }, { type: 'string' }] }) }],
  [
    'choices of choices',
    { properties: { x: { anyOf: names.map(() => ({ ...self })) } }, anyOf: names.map(() => ({ ...self })) },
  ],
  [
    'types of objects',
    { type: ['object', 'string', 'array'], required: names, properties: ofNames(self), items: self },
  ],
  [
    'parts of parts',
    { allOf: [{ properties: ofNames({ anyOf: [self, true] }) }, { properties: ofNames({ oneOf: [self, {}] }) }] },
  ],
]

test.each(schemas)('a schema with endless %s has a form in time', { timeout: 60_000 }, (_, a) => {
  const schema = { $defs: { a }, properties: { p0: { $ref: '#/$defs/a' }, title: { type: 'string' } } }
  const text = 'title: x\np0: {}\n'
  const start = performance.now()
  const fields = fieldsOf(text, schema)
  expect(fields.map(({ name }) => name)).toEqual(['title', 'p0'])
  expect(JSON.stringify(fields).length).toBeLessThan(8_000_000)
  expect(outsideForm({ other: 1 }, text, schema)).toEqual(['other'])
  expect(shareableChanges('title: z\n', text, schema)).toBe('title: z\n')
  // It takes a fraction of a second; without bounds it would be minutes.
  expect(performance.now() - start).toBeLessThan(10_000)
})

const filled = (depth: number): object =>
  depth === 0 ? {} : Object.fromEntries(names.slice(0, 3).map((name) => [name, filled(depth - 1)]))
const forms: [string, object, object][] = [
  [
    'required names',
    {
      oneOf: [
        { required: names, properties: ofNames(self) },
        { required: names, properties: ofNames(self) },
      ],
    },
    filled(5),
  ],
  [
    'towers of itself',
    { anyOf: names.map((name) => ({ properties: { [name]: { const: name }, x: self }, required: [name, 'x'] })) },
    { p0: 'p0', x: { p1: 'p1', x: { p2: 'p2' } } },
  ],
  [
    'names that it may forbid',
    {
      not: { anyOf: [self, self] },
      propertyNames: self,
      allOf: [{ not: self }, { propertyNames: { anyOf: [self, self, self] } }],
      oneOf: [
        { required: names, properties: ofNames(self) },
        { title: 'b', properties: ofNames(self) },
      ],
    },
    filled(4),
  ],
  [
    'conditions',
    { if: self, else: self, oneOf: [{ properties: ofNames(self) }, { if: self, else: self, title: 'b' }] },
    filled(4),
  ],
  [
    'patterns',
    {
      patternProperties: { '.*': self, p: self },
      oneOf: [
        { title: 'a', properties: ofNames(self) },
        { title: 'b', patternProperties: { '.': self } },
      ],
    },
    filled(4),
  ],
]

test.each(forms)('a form with endless %s is chosen in time, and back', { timeout: 100_000 }, (_, a, value) => {
  const schema = { $defs: { a }, properties: { p0: self, title: { type: 'string' } } }
  const text = stringify({ title: 'x', p0: value })
  let model = openValues(text, schema, { defaults: openValues(text, schema) })
  expect(model.fields.find(({ name }) => name === 'p0')?.choices?.length).toBeGreaterThan(1)
  const start = performance.now()
  for (const choice of [1, 0, 1]) {
    model = changeValues(model, ['p0'], { kind: 'choose', choice })
    expect(model.value).toMatchObject({ title: 'x' })
    expect(model.text.length).toBeLessThan(100_000)
  }
  // It takes a fraction of a second; without bounds it was minutes, or more than a document may hold.
  expect(performance.now() - start).toBeLessThan(10_000)
})
