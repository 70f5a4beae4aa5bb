import { expect, it } from 'vitest'
import { bytesOf, cpuMillisOf, quantityOf } from './quantity.ts'

it.each([
  ['250m', 250],
  ['2', 2000],
  ['0.5', 500],
  [4, 4000],
  ['1e3', 1_000_000],
  ['100n', 0],
  ['nonsense', 0],
  [undefined, 0],
])('reads %s as milli-CPUs', (text, expected) => {
  expect(cpuMillisOf(text)).toBe(expected)
})

it.each([
  ['1Gi', 1024 ** 3],
  ['128M', 128_000_000],
  ['1.5Ki', 1536],
  ['12E', 12e18],
  ['1e1000', 0],
  ['-', 0],
])('reads %s as bytes', (text, expected) => {
  expect(bytesOf(text)).toBe(expected)
})

it('reads signs', () => {
  expect(quantityOf('-2k')).toBe(-2000)
})
