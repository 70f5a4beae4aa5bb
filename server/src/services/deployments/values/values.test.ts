import { expect, test } from 'vitest'
import { Failure } from '../../../platform/http/errors.ts'
import { readValues } from './values.ts'

test('values are a mapping, or nothing', async () => {
  await expect(readValues('# nothing yet', 'yaml')).resolves.toEqual({})
  await expect(readValues('a: 1', 'yaml')).resolves.toEqual({ a: 1 })
  await expect(readValues('- a', 'yaml')).rejects.toThrow('mapping')
  await expect(readValues('a: [', 'yaml')).rejects.toThrow('line 1')
})

test('what is too large and what cannot be read are told apart', async () => {
  const code = async (text: string) => {
    try {
      return await readValues(text, 'yaml')
    } catch (error) {
      return error instanceof Failure ? error.code : error
    }
  }
  expect(await code(`a: ${'x'.repeat(600 * 1024)}`)).toBe('values.too-large')
  expect(await code('a: [1')).toBe('values.invalid-yaml')
})
