import { expect, test } from 'vitest'
import { stateOf, stepsOf } from './steps.ts'

test('an install grants access before Helm runs', () => {
  expect(stepsOf('Deploy', true)).toEqual(['prepare', 'namespace', 'grant', 'helm'])
})

test('a deletion revokes access after the release is gone, and touches no cluster when there is no release', () => {
  expect(stepsOf('Delete', true)).toEqual(['namespace', 'helm', 'revoke'])
  expect(stepsOf('Delete', false)).toEqual([])
})

test('upgrade and rollback leave access as it is', () => {
  expect(stepsOf('Upgrade', true)).not.toContain('grant')
  expect(stepsOf('Rollback', true)).not.toContain('grant')
})

test('every step shows as a state of the ledger', () => {
  expect(stepsOf('Deploy', true).map(stateOf)).toEqual(['preparing', 'namespace', 'iam', 'helm'])
})
