import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastQuery, lineQuery, pointsOf } from './queries.ts'

const hour = 3_600_000

test.each([
  [hour, 30, 30],
  [6 * hour, 30, 120],
  [24 * hour, 30, 600],
  [7 * 24 * hour, 30, 3600],
  [90 * 24 * hour, 30, 43_200],
  [hour, 300, 300],
])('%i ms collected every %i s have a point every %i s', (length, everySeconds, stepSeconds) => {
  expect(pointsOf({ from: 0, to: length }, everySeconds).stepSeconds).toBe(stepSeconds)
})

test('points stay where they are while time goes on', () => {
  const [first, later] = [0, 7000].map((ms) => pointsOf({ from: 61_000 + ms, to: hour + 61_000 + ms }, 30))
  expect(first).toEqual({ from: 90_000, to: 3_690_000, stepSeconds: 30 })
  expect(later).toEqual(first)
})

test('a query names the place in each selector', () => {
  const place = { level: 'app', labels: { tenant: 'demo', space: 's1', app: 'a1' } } as const
  const labels = '{tenant="demo",space="s1",app="a1"}'
  expect(lineQuery(place, ['cpu', 'usage'], { stepSeconds: 30 }, 30)).toBe(
    `sum(avg_over_time(quayside_app_cpu_usage_cores${labels}[75s]))`,
  )
  expect(lastQuery('pod', place.labels, ['memory', 'limits'], 30)).toBe(
    `last_over_time(quayside_pod_memory_limits_bytes${labels}[75s])`,
  )
})

test('no id of a place writes PromQL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (space) => {
      const query = lastQuery('pod', { tenant: 'demo', space }, ['cpu', 'usage'], 30)
      const written =
        /^last_over_time\(quayside_pod_cpu_usage_cores\{tenant="demo",space=("(?:[^"\\\n]|\\.)*")\}\[75s\]\)$/u
      expect(JSON.parse(written.exec(query)?.[1] ?? 'null')).toBe(space.toWellFormed())
    }),
  )
})
