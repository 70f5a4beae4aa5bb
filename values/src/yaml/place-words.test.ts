import { expect, test } from 'vitest'
import { namesPlace, placeWords, withNumbers } from './place-words.ts'

test('entries of lists are counted from one, names that are numbers are not', () => {
  const values = { ports: [{ name: 'a' }, { name: 'b' }], codes: { 1: { text: 'x' } } }
  expect(placeWords(withNumbers(['ports', '1', 'name'], values))).toBe('ports.#2.name')
  expect(placeWords(withNumbers(['codes', '1', 'text'], values))).toBe('codes.1.text')
  expect(placeWords(withNumbers(['gone', '1'], values))).toBe('gone.1')
})

test.each([
  ['ports.#2.name must be text', 'ports.1.name', true],
  ['replicas must be <= 10', 'replicas', true],
  ['replicas: not so', 'replicas', true],
  ['replicasMax must be <= 10', 'replicas', false],
  ['it is wrong', 'it.is', false],
])('%s names %s: %s', (message, path, is) => {
  expect(namesPlace(message, path)).toBe(is)
})
