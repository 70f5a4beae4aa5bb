import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fail } from '../../http/errors.ts'
import { createStanding, type DirectoryReads } from '../standing.ts'
import { createTokenActors } from './token-actors.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const minute = 60_000

it('a personal token goes on for five minutes without the identity server, and again with it', async () => {
  let isAway = false
  const answer = async <T>(value: T): Promise<T> => {
    if (isAway) throw fail('iam.unreachable')
    return value
  }
  const held = { username: 'olga', realmRoles: new Set<string>(), resourceRoles: new Set(['apps:access']) }
  const reads = { person: () => answer(held), groups: () => answer([]) } as unknown as DirectoryReads
  const token = {
    ...{ id: 't1', name: 'Nightly', readOnly: false, spaceIds: undefined, userId: 'u1' },
    ...{ expiresAt: new Date(Date.now() + 60 * minute), tenant: { id: 'demo', identifier: 'demo', realm: 'demo' } },
  }
  const actorOf = createTokenActors({ find: async () => token, noteUse: () => undefined }, createStanding(reads))
  expect((await actorOf('secret')).userId).toBe('u1')
  isAway = true
  vi.advanceTimersByTime(5 * minute - 1)
  expect((await actorOf('secret')).resourceRoles).toContain('apps:access')
  vi.advanceTimersByTime(1)
  await expect(actorOf('secret')).rejects.toMatchObject({ code: 'iam.unreachable' })
  isAway = false
  vi.advanceTimersByTime(2000)
  expect((await actorOf('secret')).userId).toBe('u1')
})
