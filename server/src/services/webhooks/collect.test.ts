import { expect, it } from 'vitest'
import { createLogger } from '../../platform/logging/logger.ts'
import type { OutageNotice } from '../notifications/outages.ts'
import { createCollect } from './collect.ts'
import type { Event } from './event.ts'

const now = new Date('2026-01-01T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const outage = (id: string, at: Date): OutageNotice => ({
  ...{ id, kind: 'app-unhealthy', at, says: null },
  ...{ app: { id: 'app1', name: 'Crane' }, space: { id: 'space1', name: 'Dock' } },
})

/** Ids of the events that are queued in one round of a tenant that was last looked at a moment ago. */
async function queued(settleSeconds: number, health: OutageNotice[]): Promise<string[]> {
  const events: Event[] = []
  const collect = createCollect({
    ...{
      log: createLogger('silent'),
      changed: () => undefined,
      portalUrl: 'https://portal.example.org',
      settleSeconds,
    },
    queue: {
      tenants: async () => [{ tenantId: 'demo', since: minutesAgo(5), now, hearsHealth: true }],
      add: async (_, more) => {
        events.push(...more)
        return []
      },
      collected: async () => undefined,
    },
    async *endedSince() {
      yield []
    },
    health: async () => health,
  })
  await collect()
  return events.map(({ id }) => id)
}

it('an app that wavered for longer than the overlap is told all the same, and older outages are not', async () => {
  const health = [outage('late', minutesAgo(50)), outage('old', minutesAgo(66))]
  expect(await queued(3600, health)).toEqual(['late'])
  expect(await queued(60, [outage('new', minutesAgo(5.5)), ...health])).toEqual(['new'])
})
