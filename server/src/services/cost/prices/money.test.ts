import type { Rate } from '@quayside/contract/cost/prices'
import { expect, test } from 'vitest'
import { shownIn } from './money.ts'

const rates: Rate[] = [
  { currency: 'USD', perEuro: 1.25, asOf: '2031-05-10', source: 'file' },
  { currency: 'CHF', perEuro: 0.5, asOf: '2031-05-02', source: 'hand' },
]
const now = Date.parse('2031-05-12T12:00:00Z')

test('amounts go by way of the euro, with the date of the older rate', () => {
  expect(shownIn('USD', 'CHF', rates, now)).toEqual({
    currency: 'USD',
    factor: 2.5,
    rate: { from: 'CHF', asOf: '2031-05-02', isOld: true },
    missingRate: null,
  })
  expect(shownIn('EUR', 'USD', rates, now)).toMatchObject({ factor: 0.8, rate: { asOf: '2031-05-10', isOld: false } })
  expect(shownIn('USD', 'EUR', rates, now)).toMatchObject({ factor: 1.25 })
})

test('a rate is old from the eighth day on', () => {
  const isOld = (at: string) => shownIn('EUR', 'USD', rates, Date.parse(at)).rate?.isOld
  expect([isOld('2031-05-17T23:00:00Z'), isOld('2031-05-18T01:00:00Z')]).toEqual([false, true])
})

test('amounts stay as they are where nobody has chosen a currency, or no rate leads there', () => {
  expect(shownIn(null, 'USD', rates)).toEqual({ currency: 'USD', factor: 1, rate: null, missingRate: null })
  expect(shownIn('USD', 'USD', [])).toMatchObject({ factor: 1, missingRate: null })
  expect(shownIn('JPY', 'USD', rates)).toEqual({ currency: 'USD', factor: 1, rate: null, missingRate: 'JPY' })
})
