import { expect, it } from 'vitest'
import { longestCallMs, outcomeOf } from './outcome.ts'

it.each([
  [null, 0, 'running'],
  [null, longestCallMs, 'running'],
  [null, longestCallMs + 1, 'unknown'],
  [200, 0, 'done'],
  [399, 0, 'done'],
  [400, 0, 'refused'],
  [499, 0, 'refused'],
  [500, 0, 'failed'],
] as const)('status %s after %d ms is %s', (status, ageMs, outcome) => expect(outcomeOf(status, ageMs)).toBe(outcome))
