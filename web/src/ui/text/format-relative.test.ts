import { expect, it } from 'vitest'
import { endsSoon, formatDuration, formatRelative, formatRemaining } from './format-relative.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString()

it.each([
  [0, 'just now'],
  [-20, 'just now'],
  [12, '12 s ago'],
  [59, '59 s ago'],
  [60, '1 min ago'],
  [3 * 3600, '3 h ago'],
  [86_400, 'yesterday'],
  [3 * 86_400, '3 days ago'],
])('%i seconds are "%s"', (seconds, text) => {
  expect(formatRelative(ago(seconds), now)).toBe(text)
})

it('shows the date when it is long ago, and nothing made up for nonsense', () => {
  expect(formatRelative(ago(90 * 86_400), now)).toMatch(/2026$/)
  expect(formatRelative('soon', now)).toBe('–')
})

it.each([
  [0, '00:00'],
  [41_900, '00:41'],
  [3_723_000, '1:02:03'],
])('%i ms run as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

it.each([
  [-1, 'has ended', true],
  [40, 'ends in under a minute', true],
  [8 * 60, 'ends in 8 min', true],
  [8 * 3600 - 20, 'ends in 8 h', true],
  [86_400 - 30, 'ends in 24 h', true],
  [3 * 86_400 - 30, 'ends in 3 days', false],
])('what ends in %i seconds "%s", and soon: %s', (seconds, text, soon) => {
  expect(formatRemaining(ago(-seconds), now)).toBe(text)
  expect(endsSoon(ago(-seconds), now)).toBe(soon)
})
