import type { Db } from '../../platform/db/db.ts'
import { unlessUnderWay } from '../../platform/db/exclusive.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Collect } from './collect.ts'
import { outcomeOf } from './outcome.ts'
import type { Claim, QueueStore } from './queue-store.ts'
import type { Sender } from './sender.ts'

const lookEveryMs = 2000
const forgetEveryMs = 3_600_000

interface WorkerDeps {
  db: Pick<Db, 'pool'>
  log: Pick<Logger, 'error'>
  jobs: Pick<Jobs, 'every'>
  changed: Live['changed']
  queue: QueueStore
  send: Sender
  collect: Collect
}

/** Queues what has happened, on one replica at a time, and sends what is due, each delivery on one replica. */
export function createWorker({ db, log, jobs, changed, queue, send, collect }: WorkerDeps) {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let claiming: Promise<void> | undefined
  let isAskedAgain = false

  async function attempt(claim: Claim): Promise<void> {
    const { webhook, delivery } = claim
    try {
      const answer = await send(webhook, { id: delivery.event_id, body: delivery.body }, stopping.signal)
      await queue.end(claim, answer, outcomeOf(answer, delivery.attempts, webhook.given_up))
      changed(webhook.tenant_id, 'webhooks', webhook.id)
    } catch (error) {
      // Its lease ends by itself, and the delivery is sent again under the same id.
      if (!stopping.signal.aborted) log.error({ err: error, webhookId: webhook.id }, 'a webhook could not be sent')
    }
  }

  async function claimAll(): Promise<void> {
    do {
      isAskedAgain = false
      for (const claim of stopping.signal.aborted ? [] : await queue.claim()) {
        const work: Promise<void> = attempt(claim).finally(() => {
          running.delete(work)
          // The rest that is due need not wait for the next look.
          void deliver().catch((error: unknown) => log.error({ err: error }, 'webhooks that are due could not be read'))
        })
        running.add(work)
      }
    } while (isAskedAgain)
  }

  /** Begins what is due, and waits for none of it. */
  function deliver(): Promise<void> {
    isAskedAgain = true
    claiming ??= claimAll().finally(() => {
      claiming = undefined
    })
    return claiming
  }

  return {
    start(): void {
      jobs.every(lookEveryMs, async () => {
        if ((await queue.tenants()).length === 0) return
        await unlessUnderWay(db.pool, 'webhook events', collect)
        await deliver()
      })
      jobs.every(forgetEveryMs, async () => {
        while (await queue.forgetSome()) await new Promise(setImmediate)
      })
    },
    /** Lets go of what is being sent; it is sent again, by whoever is there then. */
    async stop(): Promise<void> {
      stopping.abort(new Error('the portal is ending'))
      // One that is being claimed begins first, and ends at once.
      await claiming
      await Promise.all(running)
    },
  }
}
