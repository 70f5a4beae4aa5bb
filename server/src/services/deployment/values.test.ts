import { expect, test } from 'vitest'
import { Failure } from '../../kernel/errors.ts'
import { readValues } from './values.ts'

test('values are a mapping, or nothing', () => {
  expect(readValues('# nothing yet', 'yaml')).toEqual({})
  expect(readValues('a: 1', 'yaml')).toEqual({ a: 1 })
  expect(() => readValues('- a', 'yaml')).toThrow('mapping')
  expect(() => readValues('a: [', 'yaml')).toThrow('line 1')
})

test('what is too large and what cannot be read are told apart', () => {
  const code = (text: string) => {
    try {
      return readValues(text, 'yaml')
    } catch (error) {
      return error instanceof Failure ? error.code : error
    }
  }
  expect(code(`a: ${'x'.repeat(600 * 1024)}`)).toBe('values.too-large')
  expect(code('a: [1')).toBe('values.invalid-yaml')
})
