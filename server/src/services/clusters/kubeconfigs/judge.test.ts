import type { Scope } from '@quayside/contract/permissions/scopes'
import { expect, it } from 'vitest'
import { highest, judge, type Now, roleFrom } from './judge.ts'

const viewing: Scope[] = ['space.view', 'app.view']
const deploying: Scope[] = [...viewing, 'space.deploy', 'app.manage', 'app.secrets']
const now: Now = { isExpired: false, isLate: false, spaceClusterIds: ['c1'], clusterId: 'c1', role: 'deployer' }

it.each([
  [[], false, undefined],
  [['space.view'], false, undefined],
  [viewing, false, 'viewer'],
  [[...viewing, 'app.manage'], false, 'viewer'],
  [[...viewing, 'app.secrets', 'space.members'], false, 'viewer'],
  [deploying, false, 'deployer'],
  [[...deploying, 'space.members'], false, 'manager'],
  [[...deploying, 'space.members'], true, 'viewer'],
  [['space.members'], true, undefined],
] as [Scope[], boolean, string | undefined][])('scopes %j, elevated %j: %s', (scopes, isElevated, role) => {
  expect(roleFrom(new Set(scopes), isElevated)).toBe(role)
})

it.each([
  [{}, { do: 'keep' }],
  [{ role: 'manager' }, { do: 'keep' }],
  [{ role: 'viewer' }, { do: 'lower', to: 'viewer' }],
  [{ role: undefined }, { do: 'end', because: 'access-lost' }],
  [{ spaceClusterIds: [] }, { do: 'end', because: 'cluster-removed' }],
  [{ spaceClusterIds: undefined }, { do: 'end', because: 'space-deleted' }],
  [{ isLate: true }, { do: 'end', because: 'failed' }],
  [
    { isExpired: true, role: undefined },
    { do: 'end', because: 'expired' },
  ],
] as [Partial<Now>, object][])('a deployer of whom %j is so', (change, verdict) => {
  expect(judge('deployer', { ...now, ...change })).toEqual(verdict)
})

it('tells the highest of several roles', () => {
  expect(highest(['viewer', 'manager', 'deployer'])).toBe('manager')
  expect(highest(['viewer'])).toBe('viewer')
})
