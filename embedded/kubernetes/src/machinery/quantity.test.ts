import { expect, test } from 'vitest'
import { canonicalQuantity, quantityNumber } from './quantity.ts'

test.each([
  ['1000m', '1'],
  ['0.5', '500m'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['0', '0'],
  [2, '2'],
  ['1e3', '1e3'],
  ['100000', '100k'],
  ['12345', '12345'],
  ['-0.1', '-100m'],
  ['.25', '250m'],
  ['1Ki', '1Ki'],
])('%s is written %s', (source, text) => {
  expect(canonicalQuantity(source)).toBe(text)
})

test.each(['', 'x', '1 Gi', '1gi', '--1', '1e99', {}, null])('%s is no quantity', (source) => {
  expect(canonicalQuantity(source)).toBeUndefined()
})

test('amounts compare as numbers', () => {
  expect(quantityNumber('1500m')).toBe(1.5)
  expect(quantityNumber('2Gi')).toBe(2 ** 31)
})
