import type { Logger } from '../../../../platform/logging/logger.ts'
import type { ActionRow } from '../../tables.ts'
import { createShares, type Place, type Sharer } from './shares.ts'

interface Ports {
  log: Pick<Logger, 'debug'>
  places: { working: number; waiting: number }
  /** Undefined for an action that has ended. */
  sharerOf(actionId: string): Promise<Sharer | undefined>
  areTenantsSeveral(): Promise<boolean>
  /** Has an action taken again, here or on another replica. */
  wake(actionId: string, tenantId: string): Promise<void>
  claimed(actionId: string): Promise<ActionRow | undefined>
  carryOut(action: ActionRow, place: Place): Promise<void>
  isStopping(): boolean
}

/** Takes actions in places of their spaces; one for whose space none is free stays accepted until there is. */
export function createSharing(ports: Ports) {
  const { log, places, sharerOf, areTenantsSeveral, wake, claimed, carryOut, isStopping } = ports
  const parked = new Map<string, Sharer>()
  const shares = createShares(places, wakeParked)

  function wakeParked(): void {
    const next = [...parked].find(([, sharer]) => shares.hasFreePlaceFor(sharer))
    if (!next || isStopping()) return
    const [id, { tenant_id }] = next
    parked.delete(id)
    // One that nobody wakes is found by the next round.
    wake(id, tenant_id).catch((error: unknown) =>
      log.debug({ err: error, actionId: id }, 'an action that may begin was not woken'),
    )
  }

  return async (actionId: string): Promise<void> => {
    const [sharer, areSeveral] = await Promise.all([sharerOf(actionId), areTenantsSeveral()])
    if (areSeveral) shares.tenantsAreSeveral()
    parked.delete(actionId)
    // It has ended while it was parked: the place that it was woken for is for the next one.
    if (!sharer) return wakeParked()
    if (!shares.hasFreePlaceFor(sharer)) {
      parked.set(actionId, sharer)
      return
    }
    const place = shares.take(sharer)
    const action = await claimed(actionId).catch((error: unknown) => {
      place.end()
      throw error
    })
    // Somebody else has it: the same action can be woken twice.
    if (!action) return place.end()
    await carryOut(action, place)
  }
}
