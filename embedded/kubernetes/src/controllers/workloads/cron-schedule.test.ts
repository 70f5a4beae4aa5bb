import { expect, test } from 'vitest'
import { nextRun, parseSchedule } from './cron-schedule.ts'

const after = (schedule: string, from: string, zone?: string) => {
  const at = nextRun(parseSchedule(schedule), Date.parse(from), zone)
  return at === undefined ? undefined : new Date(at).toISOString()
}

test.each([
  ['*/15 * * * *', '2026-01-01T00:07:30Z', '2026-01-01T00:15:00.000Z'],
  ['0 3 * * *', '2026-01-01T03:00:00Z', '2026-01-02T03:00:00.000Z'],
  ['30 6 1 */2 *', '2026-01-02T00:00:00Z', '2026-03-01T06:30:00.000Z'],
  ['0 0 13 * fri', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00.000Z'],
  ['0 9 * * 7', '2026-01-01T00:00:00Z', '2026-01-04T09:00:00.000Z'],
  ['@hourly', '2026-01-01T10:10:00Z', '2026-01-01T11:00:00.000Z'],
  ['@every 90s', '2026-01-01T00:00:00Z', '2026-01-01T00:01:30.000Z'],
])('%s after %s', (schedule, from, expected) => {
  expect(after(schedule, from)).toBe(expected)
})

test('a time zone shifts the hour', () => {
  expect(after('0 9 * * *', '2026-01-01T00:00:00Z', 'Asia/Tokyo')).toBe('2026-01-02T00:00:00.000Z')
})

test('a day that never comes has no run', () => {
  expect(after('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined()
})

test.each(['* * * *', '61 * * * *', 'x * * * *', '*/0 * * * *'])('%s is refused', (schedule) => {
  expect(() => parseSchedule(schedule)).toThrow()
})
