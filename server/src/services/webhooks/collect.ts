import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { EndedAction } from '../deployments/ledger/ended.ts'
import type { OutageNotice } from '../notifications/outages.ts'
import { type Event, eventOfAction, eventOfOutage } from './event.ts'
import type { Due, QueueStore } from './queue-store.ts'

interface CollectDeps {
  log: Pick<Logger, 'error'>
  changed: Live['changed']
  queue: Pick<QueueStore, 'tenants' | 'add' | 'collected'>
  portalUrl: string
  /** How long an app is unhealthy, or healthy again, before that is told. */
  settleSeconds: number
  endedSince(tenantId: string, since: Date): AsyncIterable<EndedAction[]>
  health(tenantId: string): Promise<OutageNotice[]>
}

/** Queues what has happened since the last time, in every tenant that has webhooks. */
export function createCollect({ log, changed, queue, ...deps }: CollectDeps) {
  /** Nothing is marked as told in the ledger: what was queued before is there, and is not queued a second time. */
  async function collectOf({ tenantId, since, now, hearsHealth }: Due): Promise<void> {
    const portal = { url: deps.portalUrl, tenantId }
    const add = async (events: readonly Event[]) => {
      if (events.length === 0) return
      for (const id of await queue.add(tenantId, events)) changed(tenantId, 'webhooks', id)
    }
    for await (const actions of deps.endedSince(tenantId, since))
      await add(actions.map((action) => eventOfAction(portal, action)))
    const health = hearsHealth ? await deps.health(tenantId) : []
    // Once an app that wavers is unhealthy for good, its outage counts from when that began: it is told as late as this.
    const from = since.getTime() - deps.settleSeconds * 1000
    await add(health.filter(({ at }) => at.getTime() >= from).map((outage) => eventOfOutage(portal, outage)))
    await queue.collected(tenantId, now)
  }

  /** One tenant whose events cannot be read leaves those of the others alone. */
  return async (): Promise<void> => {
    for (const due of await queue.tenants())
      await collectOf(due).catch((error: unknown) => {
        log.error({ err: error, tenantId: due.tenantId }, 'events for webhooks could not be collected')
      })
  }
}
export type Collect = ReturnType<typeof createCollect>
