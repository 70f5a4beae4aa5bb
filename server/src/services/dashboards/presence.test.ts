import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Actor } from '../../platform/auth/actor.ts'
import { createPresence, type Manager } from './presence.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const actor = { realm: 'demo' } as Actor
const manages = (principal_id: string, dashboard_id: string): Manager => ({
  ...{ principal_type: 'user', principal_id, dashboard_id },
})
const managers = [manages('ines', 'a'), manages('gone', 'a'), manages('gone', 'b'), manages('ines', 'c')]

function presence() {
  const there = new Set(['ines'])
  const principal = vi.fn(async (_: string, { type, id }: { type: 'user' | 'group' | 'role'; id: string }) =>
    there.has(id) ? { type, id, name: id, detail: null } : undefined,
  )
  return { ...createPresence({ principal }), there, asked: () => principal.mock.calls.length }
}

it('each manager is asked about once a minute, however many dashboards they have and however often it is asked', async () => {
  const { orphansAmong, asked } = presence()
  const both = await Promise.all([orphansAmong(actor, managers, 'lately'), orphansAmong(actor, managers, 'lately')])
  expect(both).toEqual([['b'], ['b']])
  expect(asked()).toBe(2)
  vi.advanceTimersByTime(59_000)
  expect(await orphansAmong(actor, managers, 'lately')).toEqual(['b'])
  expect(asked()).toBe(2)
  vi.advanceTimersByTime(2000)
  await orphansAmong(actor, managers, 'lately')
  expect(asked()).toBe(4)
})

it('somebody who was removed in the portal is gone at once, and before a dashboard is taken over everybody is asked about', async () => {
  const { orphansAmong, there, forget } = presence()
  await orphansAmong(actor, managers, 'lately')
  there.delete('ines')
  expect(await orphansAmong(actor, managers, 'lately')).toEqual(['b'])
  expect(await orphansAmong(actor, managers, 'now')).toEqual(['a', 'b', 'c'])
  there.add('ines')
  forget()
  expect(await orphansAmong(actor, managers, 'lately')).toEqual(['b'])
})
