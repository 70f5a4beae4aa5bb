import { expect, test } from 'vitest'
import { formatChange, formatMoney, formatPrice } from './money.ts'

test('amounts have the digits of their currency', () => {
  expect(formatMoney(1234.5, 'EUR')).toBe('€1,234.50')
  expect(formatMoney(1234.5, 'JPY')).toBe('¥1,235')
})

test('an amount that would be rounded to nothing is not shown as nothing', () => {
  expect(formatMoney(0.001, 'EUR')).toBe('less than €0.01')
  expect(formatMoney(0, 'EUR')).toBe('€0.00')
})

test('a difference has its sign, and a price its digits', () => {
  expect([formatChange(3, 'EUR'), formatChange(-3, 'EUR'), formatChange(0, 'EUR')]).toEqual([
    '+€3.00',
    '-€3.00',
    '€0.00',
  ])
  expect(formatPrice(0.031611, 'USD')).toBe('$0.031611')
})
