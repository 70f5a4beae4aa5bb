import type { DeliveryState } from '@quayside/contract/webhooks/rules'
import { webhookLimits } from '@quayside/contract/webhooks/rules'

/** Answer to one attempt. */
export interface Attempt {
  isDelivered: boolean
  /** Null where nobody answered. */
  status: number | null
  says: string
  /** The same without words of the receiver, which may repeat what it was sent. */
  brief: string
}

interface Outcome {
  state: Extract<DeliveryState, 'waiting' | 'delivered' | 'failed'>
  /** Seconds until the next attempt; null: there is none. */
  nextInSeconds: number | null
  says: string
  /** Deliveries that were given up since the last one that arrived. */
  givenUp: number
  /** A sentence about why the webhook is switched off; null: it stays on. */
  offReason: string | null
}

/** Seconds from an attempt to the next one. */
const delays: readonly number[] = [10, 60, 5 * 60, 30 * 60, 2 * 3600]

/** Decides what becomes of a delivery after an attempt, and of its webhook. */
export function outcomeOf(attempt: Attempt, attemptsBefore: number, givenUpBefore: number): Outcome {
  const { isDelivered, status, says, brief } = attempt
  if (isDelivered) return { state: 'delivered', nextInSeconds: null, says, givenUp: 0, offReason: null }
  if (status === 410)
    return {
      ...{ state: 'failed', nextInSeconds: null, says, givenUp: givenUpBefore + 1 },
      offReason: 'The receiver answered that it is gone for good (status 410).',
    }
  const next = delays[attemptsBefore]
  if (next !== undefined)
    return { state: 'waiting', nextInSeconds: next, says, givenUp: givenUpBefore, offReason: null }
  const givenUp = givenUpBefore + 1
  return {
    ...{ state: 'failed', nextInSeconds: null, givenUp },
    says: `${says} Given up after ${delays.length + 1} attempts.`,
    offReason:
      givenUp >= webhookLimits.failures
        ? `${givenUp} events in a row could not be delivered. The last answer: ${brief}`
        : null,
  }
}
