import { createSemaphore } from '../../../platform/concurrency/semaphore.ts'
import { type ActionContext, messageType, pause, whyStopped } from './action-context.ts'

/**
 * Helm processes that render and write at a time, over all replicas; each takes most of a core meanwhile. Those that
 * have written their release and wait for its objects hold no place.
 */
const helmPlaces = 4
const askedEveryMs = 200

export interface HelmPlaces {
  /**
   * Waits for a place. The actions of one replica stand in line here and are called at once; the first of them asks the
   * ledger for one of the places of all replicas and counts the start of Helm. Throws when the action is stopped,
   * cancelled or no longer allowed. The function it resolves with calls the next action of this replica; the ledger
   * frees the place when Helm only waits, or else when the action leaves its Helm state.
   */
  take(context: ActionContext, baseRevision: number, onFull: () => void): Promise<() => void>
}

export function createHelmPlaces(): HelmPlaces {
  const line = createSemaphore(helmPlaces)
  return {
    async take(context, baseRevision, onFull) {
      if (line.isFull()) onFull()
      const stopping = AbortSignal.any([context.waiting, context.aborting])
      const leave = await line.acquire(stopping).catch(() => {
        throw whyStopped(stopping)
      })
      try {
        await takeOfAll(context, baseRevision, onFull)
        return leave
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

/** Asks the ledger until a place is free. */
async function takeOfAll(context: ActionContext, baseRevision: number, onFull: () => void): Promise<void> {
  for (;;) {
    // Standing in line can take long.
    await context.mustStillBeAllowed()
    if ((await context.ledger.startHelm(baseRevision, helmPlaces)) === 'started') return
    onFull()
    await pause(askedEveryMs * (0.75 + Math.random() / 2), AbortSignal.any([context.waiting, context.aborting]))
  }
}

/** Says that all places are taken: once before each start of Helm, however many lines the action stands in. */
export function createFullLine({ action, ledger, journal }: ActionContext): () => void {
  let saidBefore: number | undefined
  return () => {
    const { attempt } = ledger.now()
    if (saidBefore === attempt) return
    saidBefore = attempt
    journal.say(messageType(action.kind), `Waiting for one of the ${helmPlaces} places for Helm`)
  }
}
