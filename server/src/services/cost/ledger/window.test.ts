import { expect, test } from 'vitest'
import { setsOf, windowOf } from './window.ts'

// A Thursday.
const now = new Date('2031-05-15T10:30:00Z')
const shown = (text: string) => {
  const found = windowOf(text, now)
  return found && [found.from, found.to].map((at) => at.toISOString().slice(0, 16))
}

test.each([
  ['today', '2031-05-15T00:00', '2031-05-15T10:30'],
  ['yesterday', '2031-05-14T00:00', '2031-05-15T00:00'],
  ['week', '2031-05-12T00:00', '2031-05-15T10:30'],
  ['lastweek', '2031-05-05T00:00', '2031-05-12T00:00'],
  ['month', '2031-05-01T00:00', '2031-05-15T10:30'],
  ['lastmonth', '2031-04-01T00:00', '2031-05-01T00:00'],
  ['24h', '2031-05-14T10:30', '2031-05-15T10:30'],
  ['7d', '2031-05-08T10:30', '2031-05-15T10:30'],
  ['2031-05-01T00:00:00Z,2031-05-02T00:00:00+02:00', '2031-05-01T00:00', '2031-05-01T22:00'],
])('%s', (text, from, to) => {
  expect(shown(text)).toEqual([from, to])
})

test.each([
  '',
  'soon',
  '0d',
  '9999d',
  '2031-05-01,2031-05-02',
  '2031-05-02T00:00:00Z,2031-05-01T00:00:00Z',
  'constructor',
])('%s is none', (text) => {
  expect(shown(text)).toBeUndefined()
})

test('a set for each day of UTC, or one', () => {
  const window = { from: new Date('2031-05-01T22:00:00Z'), to: new Date('2031-05-03T01:00:00Z') }
  expect(setsOf(window, false).map(({ from, to }) => (to.getTime() - from.getTime()) / 3_600_000)).toEqual([2, 24, 1])
  expect(setsOf(window, true)).toEqual([window])
})
