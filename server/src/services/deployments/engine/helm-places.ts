import { createSemaphore } from '../../../platform/concurrency/semaphore.ts'
import { mustStillBeAllowed } from '../commands/still-allowed.ts'
import { type ActionContext, Cancelled, LeaseLostError, messageType, pause, whyStopped } from './action-context.ts'
import { startHelm } from './lease-store.ts'

/** Helm processes that change clusters at a time, over all replicas; each takes most of a core while it renders. */
const helmPlaces = 4
const askedEveryMs = 200

interface HelmPlace {
  /** The number of this start of Helm for its action, from 1. */
  attempt: number
  /** Calls the next action of this replica; the ledger frees the place itself when the action leaves its Helm state. */
  leave(): void
}

export interface HelmPlaces {
  /**
   * Waits for a place. The actions of one replica stand in line here and are called at once; the first of them asks the
   * ledger for one of the places of all replicas. Throws when the action is stopped, cancelled or no longer allowed.
   */
  take(run: ActionContext, baseRevision: number): Promise<HelmPlace>
}

export function createHelmPlaces(): HelmPlaces {
  const line = createSemaphore(helmPlaces)
  return {
    async take(run, baseRevision) {
      if (line.isFull()) sayFull(run)
      const leave = await line.acquire(run.waiting).catch(() => {
        throw whyStopped(run.waiting)
      })
      try {
        return { attempt: await placeOfAll(run, baseRevision), leave }
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

/** Asks the ledger until a place is free; the number of this start of Helm. */
async function placeOfAll(run: ActionContext, baseRevision: number): Promise<number> {
  const { deps, action, waiting } = run
  const { leaseSeconds } = deps.config
  for (;;) {
    // Standing in line can take long.
    await mustStillBeAllowed(run)
    const attempt = await startHelm(deps.db, action, { baseRevision, places: helmPlaces, leaseSeconds })
    if (attempt === undefined) throw new LeaseLostError('the lease is lost')
    if (attempt === 'cancelled') throw new Cancelled('cancelled')
    if (attempt !== 'full') return attempt
    sayFull(run)
    await pause(askedEveryMs * (0.75 + Math.random() / 2), waiting)
  }
}

/** Once for each wait of an action, however many lines it stands in. */
function sayFull(run: ActionContext): void {
  if (run.saidFull === run.action.attempt) return
  run.saidFull = run.action.attempt
  run.journal.say(messageType(run.action.kind), `Waiting for one of the ${helmPlaces} places for Helm`)
}
