import type { LiveSocket } from '../../../platform/live/live.ts'
import type { DeploymentDeps } from '../deps.ts'
import { noteChannel } from '../ledger/event-store.ts'
import type { Follower } from './follower.ts'
import { createPump } from './pump.ts'
import { createNotes } from './receive-notes.ts'
import { createRegistrations } from './register.ts'
import { createRetries } from './retries.ts'
import { sendNews } from './send-news.ts'
import { createWaiters } from './waiters.ts'

/**
 * Brings the log of actions to browsers. Every replica hears that an action has news, reads the rows that its own
 * sockets lack and sends them in order, so replay and live are the same path: nothing is missed, nothing comes twice.
 */
export interface Sockets {
  /** Resolves with the next news of an action, or after a while without. */
  news(actionId: string, milliseconds: number): Promise<void>
  close(): Promise<void>
}

export async function createSockets(deps: DeploymentDeps): Promise<Sockets> {
  const followers = new Set<Follower>()
  const callers = new Map<string, LiveSocket>()
  const retries = createRetries()
  const { news, wake } = createWaiters()
  const pump = createPump((tenantId, actionId) => sendNews(deps, followers, tenantId, actionId), retries, deps.log)
  const notes = createNotes(deps, { followers, callers, pump, retries, wake })
  deps.live.onConnect(createRegistrations(deps, { followers, callers, pump, notes }))
  const stopListening = await deps.db.listen(noteChannel, notes.receive, notes.catchUpAll)
  return {
    news,
    async close() {
      retries.close()
      await stopListening()
    },
  }
}
