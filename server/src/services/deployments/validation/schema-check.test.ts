import { coalesce } from '@quayside/values/merge/coalesce'
import { expect, test } from 'vitest'
import { checkSchema, linesOf } from './schema-check.ts'

const dialect2020 = 'https://json-schema.org/draft/2020-12/schema'
const schema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer', minimum: 1 },
    mode: { enum: ['a', 'b'] },
    password: { enum: ['only-this'] },
    nested: { type: 'object', additionalProperties: false, properties: { ok: { type: 'boolean' } } },
  },
}

test.each([
  undefined,
  'http://json-schema.org/draft-07/schema#',
  'http://json-schema.org/draft-04/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
])('values are checked in the dialect %s', async ($schema) => {
  expect(await checkSchema({ schema: { ...schema, $schema }, values: { replicas: 2 } })).toEqual({ findings: [] })
  const answer = await checkSchema({ schema: { ...schema, $schema }, values: { replicas: 'x' } })
  expect(answer).toMatchObject({ findings: [{ path: ['replicas'] }] })
})

test('findings name path and line, and keep allowed secrets to themselves', async () => {
  const values = { replicas: 0, mode: 'c', password: 'x', nested: { wrong: 1 } }
  const yaml = '# values\nreplicas: 0\nmode: c\npassword: x\nnested:\n  wrong: 1\n'
  const answer = await checkSchema({ schema, values })
  if (!('findings' in answer)) throw new Error(answer.unusable)
  const lines = await linesOf(answer.findings, yaml, [['password']])
  const byPath = Object.fromEntries(lines.map((line) => [line.path, line]))
  expect(byPath.replicas).toMatchObject({ line: 2, message: 'replicas must be >= 1' })
  expect(byPath.mode?.message).toContain('"a", "b"')
  expect(byPath.password).toMatchObject({ line: 4, message: expect.not.stringContaining('only-this') })
  expect(byPath['nested.wrong']).toMatchObject({ line: 6 })
})

test('entries of lists are counted from one', async () => {
  const ports = { type: 'array', items: { properties: { name: { type: 'string' } } } }
  const values = { ports: [{ name: 'a' }, { name: 2 }] }
  const answer = await checkSchema({ schema: { properties: { ports } }, values })
  if (!('findings' in answer)) throw new Error(answer.unusable)
  const [line] = await linesOf(answer.findings, 'ports:\n  - name: a\n  - name: 2\n', [])
  expect(line).toMatchObject({ path: 'ports.1.name', message: 'ports.#2.name must be string', line: 3 })
})

test('a pattern that never ends is ended, and a reference to elsewhere is never fetched', async () => {
  const endless = { properties: { a: { pattern: '^(a+)+$' } } }
  const answer = await checkSchema({ schema: endless, values: { a: `${'a'.repeat(40)}!` } })
  expect(answer).toMatchObject({ unusable: expect.stringContaining('longer') })
  const remote = await checkSchema({ schema: { $ref: 'http://127.0.0.1:9/schema.json' }, values: {} })
  expect(remote).toMatchObject({ unusable: expect.stringContaining('resolve') })
}, 20_000)

test('a pattern is read as Helm reads it', async () => {
  const named = { properties: { name: { pattern: '(?i)^web[\\-_]' } } }
  expect(await checkSchema({ schema: named, values: { name: 'WEB-1' } })).toEqual({ findings: [] })
  expect(await checkSchema({ schema: named, values: { name: 'api' } })).toMatchObject({
    findings: [{ path: ['name'] }],
  })
})

test('a chart gets its own values with the given ones laid over, and null takes away', () => {
  expect(coalesce({ a: 1, b: { c: 1, d: 2 }, e: 1 }, { b: { c: 3 }, e: null, f: [1] })).toEqual({
    a: 1,
    b: { c: 3, d: 2 },
    f: [1],
  })
})

test('steps are counted in decimals as they are written, in every dialect', async () => {
  for (const $schema of [undefined, 'https://json-schema.org/draft/2019-09/schema', dialect2020]) {
    const share = { $schema, properties: { share: { type: 'number', multipleOf: 0.05 } } }
    expect(await checkSchema({ schema: share, values: { share: 0.3 } })).toEqual({ findings: [] })
    expect(await checkSchema({ schema: share, values: { share: 0.31 } })).toMatchObject({
      findings: [{ path: ['share'], message: 'must be a multiple of 0.05' }],
    })
  }
})

test('what a reference knows counts as known beside a choice of forms', async () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { base: { properties: { enabled: { type: 'boolean' } } } },
    $ref: '#/$defs/base',
    unevaluatedProperties: false,
    oneOf: [
      { required: ['host'], properties: { host: { type: 'string' } } },
      { required: ['size'], properties: { size: { type: 'integer' } } },
    ],
  }
  expect(await checkSchema({ schema, values: { enabled: true, size: 1 } })).toEqual({ findings: [] })
  const strange = await checkSchema({ schema, values: { enabled: true, size: 1, other: 1 } })
  expect('findings' in strange && strange.findings.length).toBe(1)
})
