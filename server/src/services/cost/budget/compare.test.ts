import type { Budget } from '@quayside/contract/cost/budget'
import { expect, test } from 'vitest'
import { compareBudget, type Running } from './compare.ts'

const budget: Budget = { amount: 100, currency: 'EUR', setBy: 'ines', setAt: '' }
const same = (count: number) => ({ low: count, expected: count, high: count })
const nothing: Running = { cost: null, currency: null, minutes: 0 }
const of = (monthly: number, running = nothing, delta: number | null = null) =>
  compareBudget(
    budget,
    { currency: 'EUR', monthly: same(monthly), delta: delta === null ? null : same(delta) },
    running,
    [],
  )

test('a new app adds to what runs in the space', () => {
  expect(of(99)).toEqual({ amount: 100, monthly: 99, isExceeded: false })
  expect(of(101)).toMatchObject({ isExceeded: true })
  // 0.05 an hour are 36.50 a month.
  const running = { cost: 0.1, currency: 'EUR', minutes: 120 }
  expect(of(63, running)).toMatchObject({ monthly: expect.closeTo(99.5), isExceeded: false })
  expect(of(64, running)).toMatchObject({ isExceeded: true })
})

test('an upgrade adds its difference alone', () => {
  const running = { cost: 0.1, currency: 'EUR', minutes: 60 }
  expect(of(90, running, 20)).toMatchObject({ monthly: expect.closeTo(93), isExceeded: false })
})

test('there is nothing to compare without a budget, prices or a rate', () => {
  const estimate = { currency: 'EUR', monthly: same(900), delta: null }
  expect(compareBudget(null, estimate, nothing, [])).toBeNull()
  expect(compareBudget(budget, { ...estimate, currency: null, monthly: null }, nothing, [])).toBeNull()
  expect(compareBudget({ ...budget, currency: 'USD' }, estimate, nothing, [])).toBeNull()
  const rate = { currency: 'USD', perEuro: 2, asOf: '2031-05-01', source: 'hand' as const }
  expect(compareBudget({ ...budget, currency: 'USD' }, estimate, nothing, [rate])).toMatchObject({ amount: 50 })
})
