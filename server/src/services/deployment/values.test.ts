import { expect, test } from 'vitest'
import { readValues, unknownKeys } from './values.ts'

test('keys that the version does not know are named, at any depth', () => {
  const known = { image: { tag: '1' }, replicas: 1, env: {}, list: [] }
  expect(unknownKeys({ image: { tag: '2' }, env: { A: '1' }, list: [{ a: 1 }] }, known)).toEqual([])
  expect(unknownKeys({ image: { repository: 'x' }, extra: 1 }, known)).toEqual(['image.repository', 'extra'])
})

test('values are a mapping, or nothing', () => {
  expect(readValues('# nothing yet', 'yaml')).toEqual({})
  expect(readValues('a: 1', 'yaml')).toEqual({ a: 1 })
  expect(() => readValues('- a', 'yaml')).toThrow('mapping')
  expect(() => readValues('a: [', 'yaml')).toThrow('line 1')
})
