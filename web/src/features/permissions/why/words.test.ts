import { expect, it } from 'vitest'
import { durationWords, eventWords } from './words.ts'

it.each([
  [{ what: 'granted', role: 'Manager', owner: true }, 'was made Manager and owner'],
  [{ what: 'expired', role: 'viewer', owner: false }, 'is no longer Viewer: the grant expired'],
  [{ what: 'requested', role: 'Upgrader', owner: false }, 'asked to be Upgrader'],
  [{ what: 'declined', role: 'Deployer', owner: false }, 'was refused the role Deployer'],
] as const)('%j reads "%s"', (event, words) => {
  expect(eventWords(event)).toBe(words)
})

it.each([
  [8, 'for 8 hours'],
  [48, 'for 2 days'],
  [5, 'for 5 hours'],
  [null, 'until it is revoked'],
])('%s hours are "%s"', (hours, words) => {
  expect(durationWords(hours)).toBe(words)
})
