import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { metrics } from './endpoints.ts'

const now = Date.parse('2031-05-01T12:00:00.000Z')
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }))
afterEach(() => void vi.useRealTimers())

const [minute, day] = [60_000, 86_400_000]
const ago = (ms: number) => new Date(now - ms).toISOString()

it.each([
  ['nothing said', {}, []],
  ['90 days until now, which took a while to arrive', { from: ago(90 * day + minute) }, []],
  ['more than 90 days until now', { from: ago(90 * day + minute + 1) }, ['from']],
  ['90 days until a moment', { from: ago(100 * day), to: ago(10 * day) }, []],
  ['more than 90 days until a moment', { from: ago(101 * day), to: ago(10 * day) }, ['from']],
  ['an end before its beginning', { from: ago(day), to: ago(2 * day) }, ['from']],
  ['an end that is its beginning', { from: ago(day), to: ago(day) }, ['from']],
  ['a moment that is none', { from: 'yesterday' }, ['from', 'from']],
])('the time of a chart with %s', (_, range, fields) => {
  const { error } = metrics.appUsage.query.safeParse(range)
  expect(error?.issues.map(({ path }) => path.join('.')) ?? []).toEqual(fields)
})
