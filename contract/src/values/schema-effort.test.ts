import { expect, test } from 'vitest'
import { shareableChanges } from './delta.ts'
import { fieldsOf } from './fields.ts'
import { outsideForm } from './outside-form.ts'

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
