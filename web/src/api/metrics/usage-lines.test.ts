import type { Usage } from '@quayside/contract/metrics/endpoints'
import { expect, test } from 'vitest'
import { cores, usageChart } from './usage-lines.ts'

const from = '2031-05-01T12:00:00.000Z'
const minutes = (count: number) => Date.parse(from) + count * 60_000

function usageOf(values: (number | null)[]): Usage {
  const cpu = [{ of: 'usage' as const, values }]
  return { from, to: from, stepSeconds: 60, cpu, memory: [], collections: [] }
}

test('a chart begins where its figures do, with at least 20 points', () => {
  const late = usageChart(usageOf([...Array(50).fill(null), ...Array(10).fill(0.5)]), 'cpu')
  expect([late.times[0], late.times.length]).toEqual([minutes(40), 20])
  const early = usageChart(usageOf([...Array(10).fill(null), ...Array(50).fill(0.5)]), 'cpu')
  expect([early.times[0], early.lines[0]?.values[0], early.lines[0]?.values[1]]).toEqual([minutes(9), null, 0.5])
})

test('an action before the first figure is on the chart', () => {
  const values = [...Array(30).fill(null), ...Array(30).fill(0.5)]
  expect(usageChart(usageOf(values), 'cpu', minutes(20.5)).times[0]).toBe(minutes(19))
})

test('a chart without figures has no line and no moment', () => {
  expect(usageChart({ ...usageOf([]), cpu: [] }, 'cpu')).toMatchObject({ lines: [], times: [] })
})

test.each([
  [0.0123, '12m'],
  [1, '1 core'],
  [2.5, '2.5 cores'],
])('%d cores read as %s', (value, words) => {
  expect(cores(value)).toBe(words)
})
