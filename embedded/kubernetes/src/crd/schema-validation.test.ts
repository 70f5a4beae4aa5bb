import { expect, test } from 'vitest'
import type { KubeObject } from '../object-store.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { customErrors, fillSchemaDefaults } from './custom-object.ts'
import { readPath } from './json-path.ts'
import { schemaErrors } from './schema-validation.ts'

const SCHEMA = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 5 },
    mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
    port: { 'x-kubernetes-int-or-string': true },
    parts: {
      type: 'array',
      maxItems: 2,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' }, on: { type: 'boolean', default: true } } },
    },
  },
}

const problems = (value: unknown) =>
  schemaErrors(SCHEMA, value, 'spec').map(({ field, message }) => `${field}: ${message}`)

test('what fits has no errors', () => {
  expect(problems({ size: 3, mode: 'b', port: 'http', parts: [{ name: 'x' }] })).toEqual([])
})

test('each thing wrong is said in the words of the API server', () => {
  expect(problems({ mode: 'c' })).toEqual([
    'spec.size: Required value',
    'spec.mode: Unsupported value: "c": supported values: "a", "b"',
  ])
  expect(problems({ size: 9 })).toEqual([
    'spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5',
  ])
  expect(problems({ size: 'x' })).toEqual([
    'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
  ])
  expect(problems({ size: 1, parts: [{ name: 'x' }, { name: 'x' }] })).toEqual([
    'spec.parts[1]: Duplicate value: {"name":"x"}',
  ])
})

test('defaults are filled in at every depth', () => {
  const value = { size: 1, parts: [{ name: 'x' }] }
  fillSchemaDefaults(SCHEMA, value)
  expect(value).toEqual({ size: 1, mode: 'a', parts: [{ name: 'x', on: true }] })
})

test.each([
  ['.spec.size', [3]],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  ['.spec.list[*]', [1, 2]],
  ['.spec.list[-1]', [2]],
  [".metadata.annotations['a\\.b/c']", ['x']],
  ['.spec.none.there', []],
])('%s', (path, found) => {
  const object = {
    metadata: { annotations: { 'a.b/c': 'x' } },
    spec: { size: 3, list: [1, 2] },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  }
  expect(readPath(object, path)).toEqual(found)
})

test('a schema may ask for metadata, which every object has', () => {
  const jsonSchema = { type: 'object', required: ['metadata', 'spec'], properties: { metadata: { type: 'object' } } }
  const type = { storage: 'acid.example.com/plans', custom: { jsonSchema } } as unknown as ResourceType
  const draft = { apiVersion: 'acid.example.com/v1', kind: 'Plan', metadata: { name: 'one' } } as KubeObject
  expect(customErrors(type, draft).map(({ field }) => field)).toEqual(['spec'])
})
