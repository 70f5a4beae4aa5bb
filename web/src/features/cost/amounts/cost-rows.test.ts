import type { Allocation, Allocations } from '@quayside/contract/cost/allocation'
import { expect, test } from 'vitest'
import { forecastOf, rowsOf, sumOf } from './cost-rows.ts'

const allocation = (name: string, totalCost: number | null, minutes = 60): Allocation => ({
  ...{ name, properties: { displayName: name }, start: '', end: '', minutes },
  ...{ cpuCoreHours: 1, cpuCoreRequestAverage: 1, cpuCoreUsageAverage: 1, cpuCost: totalCost },
  ...{ ramByteHours: 0, ramByteRequestAverage: 0, ramByteUsageAverage: 0, ramCost: null },
  ...{ pvByteHours: 0, pvCost: null, loadBalancerCost: null, sharedCost: 0, totalCost, unpriced: [] },
})
const set = (...all: Allocation[]): Allocations => ({
  ...{ code: 200, currency: 'EUR', rates: [], missingRate: null, isMeasured: true, measuredMinutes: [180] },
  data: [Object.fromEntries(all.map((one) => [one.name, one]))],
})
// Ten days, 240 hours, before the end of May.
const at = new Date('2031-05-22T00:00:00Z')

test('a forecast goes on as in the last hours', () => {
  expect(forecastOf(allocation('a', 10), { cost: 3, minutes: 180 }, at)).toBe(250)
  expect(forecastOf(allocation('a', 10), { cost: 0.5, minutes: 30 }, at)).toBe(250)
})

test('what has ended goes on with nothing, and what has no price has no forecast', () => {
  expect(forecastOf(allocation('a', 10), undefined, at)).toBe(10)
  expect(forecastOf(allocation('a', null), { cost: 3, minutes: 60 }, at)).toBeNull()
})

test('the dearest first, with this week beside the one before', () => {
  const month = set(allocation('cheap', 1), allocation('free', null), allocation('dear', 9))
  const [week, weekBefore] = [set(allocation('dear', 6), allocation('cheap', 1)), set(allocation('dear', 4))]
  const rows = rowsOf({ month, now: undefined, week, weekBefore }, at)
  expect(rows.map(({ name, trend }) => [name, trend])).toEqual([
    ['dear', 0.5],
    ['cheap', null],
    ['free', null],
  ])
})

test('a sum of nothing known is not 0', () => {
  expect([sumOf([null, null]), sumOf([]), sumOf([null, 2, 3])]).toEqual([null, null, 5])
})
