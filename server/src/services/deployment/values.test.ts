import { expect, test } from 'vitest'
import { readValues } from './values.ts'

test('values are a mapping, or nothing', () => {
  expect(readValues('# nothing yet', 'yaml')).toEqual({})
  expect(readValues('a: 1', 'yaml')).toEqual({ a: 1 })
  expect(() => readValues('- a', 'yaml')).toThrow('mapping')
  expect(() => readValues('a: [', 'yaml')).toThrow('line 1')
})
