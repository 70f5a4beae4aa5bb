import { callers } from '../../../platform/concurrency/fair-places.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { Retries } from './retries.ts'

export type Pump = (tenantId: string, actionId: string) => Promise<void>

/** Sends what the followers of an action lack, one look at a time; calls in between make it look once more. */
export function createPump(
  /** Returns whether something is left to be sent. */
  sendNews: (tenantId: string, actionId: string) => Promise<boolean>,
  { later }: Pick<Retries, 'later'>,
  log: Logger,
): Pump {
  const pumps = new Map<string, { again: boolean }>()
  return async function pump(tenantId, actionId) {
    const busy = pumps.get(actionId)
    if (busy) {
      busy.again = true
      return
    }
    const state = { again: true }
    pumps.set(actionId, state)
    try {
      while (state.again) {
        state.again = false
        // They are read for everybody who follows, and so wait for the places of none of them.
        if (await callers.exit(() => sendNews(tenantId, actionId))) state.again = true
      }
    } catch (error) {
      log.warn({ err: error, actionId }, 'news of an action could not be read')
      // It may have been the note of its end, after which no other one comes.
      later(() => pump(tenantId, actionId))
    } finally {
      pumps.delete(actionId)
    }
  }
}
