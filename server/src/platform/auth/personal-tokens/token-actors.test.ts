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

it('a token for some spaces carries no more of its owner than the view of the catalog', async () => {
  const catalog = 'quayside-portal-ui-catalog-apps:catalog.view'
  const held = {
    username: 'olga',
    realmRoles: new Set(['quayside-admin']),
    resourceRoles: new Set(['quayside-portal-ui-apps:apps.create', catalog]),
  }
  const reads = {
    person: async () => held,
    groups: async () => [{ id: 'g1', parentId: undefined }],
  } as unknown as DirectoryReads
  const actorOf = (spaceIds: ReadonlySet<string> | undefined) => {
    const token = {
      ...{ id: 't1', name: 'Nightly', readOnly: false, spaceIds, userId: 'u1' },
      ...{ expiresAt: new Date(Date.now() + minute), tenant: { id: 'demo', identifier: 'demo', realm: 'demo' } },
    }
    return createTokenActors({ find: async () => token, noteUse: () => undefined }, createStanding(reads))('secret')
  }
  const [whole, narrow] = [await actorOf(undefined), await actorOf(new Set(['s1']))]
  expect(whole).toMatchObject({ ...held, groupIds: new Set(['g1']) })
  expect(whole.within).toBeUndefined()
  expect(narrow).toMatchObject({ realmRoles: new Set(), groupIds: new Set(), resourceRoles: new Set([catalog]) })
  expect(narrow.within).toMatchObject({ spaceIds: new Set(['s1']), holder: { groupIds: new Set(['g1']) } })
})
