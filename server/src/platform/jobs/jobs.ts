import type { Transaction } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from '../logging/logger.ts'

interface QueueSettings {
  /** How many jobs of this queue run at once on this replica. */
  concurrency: number
  /** After this long a job that nobody finished no longer counts as active. */
  expireSeconds: number
}

/**
 * Work that one of the replicas does soon. A job exists exactly when the transaction that sent it committed, wakes a
 * worker at once by NOTIFY (a slow poll is the floor below that), and is a hint rather than a promise: whoever needs
 * certainty keeps its own rows and sends again.
 */
export interface Jobs {
  declare(queue: string, settings: QueueSettings): Promise<void>
  /** In the caller's transaction; while a job of the same key is still waiting, no second one is made. */
  send<T>(trx: Transaction<T>, queue: string, key: string, data: object): Promise<void>
  work<D extends object>(queue: string, run: (data: D) => Promise<void>): Promise<void>
  /** Runs at once and then in a steady beat on every replica, never overlapping itself, until stopped. */
  every(milliseconds: number, run: () => Promise<void>): void
  /** Claims nothing from now on. Jobs that run are not waited for. */
  stopClaiming(): Promise<void>
  close(): Promise<void>
}

export async function createJobs(databaseUrl: string, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'quayside-jobs',
    max: 6,
    useListenNotify: true,
    persistQueueStats: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  boss.on('warning', (warning) => log.debug({ warning }, 'job queue'))
  await boss.start()
  const settings = new Map<string, QueueSettings>()
  const beats = new Set<() => void>()

  async function stopClaiming() {
    for (const stop of beats) stop()
    beats.clear()
    await Promise.all([...settings.keys()].map((queue) => boss.offWork(queue, { wait: false })))
  }

  /**
   * One place of a queue. Who has ended a job looks for the next one at once: jobs that stood in line when they were
   * sent found nobody to wake, and without this they would wait for the slow poll.
   */
  async function workOne<D extends object>(queue: string, run: (data: D) => Promise<void>): Promise<void> {
    const place: { id?: string } = {}
    place.id = await boss.work<D>(queue, { pollingIntervalSeconds: 2 }, async (jobs) => {
      try {
        for (const job of jobs) await run(job.data)
      } finally {
        if (place.id) boss.notifyWorker(place.id)
      }
    })
  }

  return {
    async declare(queue, chosen) {
      settings.set(queue, chosen)
      await boss.createQueue(queue, {
        policy: 'short',
        notify: true,
        retryLimit: 0,
        expireInSeconds: chosen.expireSeconds,
        deleteAfterSeconds: 3600,
      })
    },
    async send(trx, queue, key, data) {
      await boss.send(queue, data, { singletonKey: key, db: fromKysely(trx) })
    },
    async work<D extends object>(queue: string, run: (data: D) => Promise<void>) {
      const concurrency = settings.get(queue)?.concurrency ?? 1
      for (let at = 0; at < concurrency; at += 1) await workOne(queue, run)
    },
    every(milliseconds, run) {
      beats.add(beat(milliseconds, run, log))
    },
    stopClaiming,
    async close() {
      await stopClaiming()
      await boss.stop({ graceful: false, close: true })
    },
  }
}

function beat(milliseconds: number, run: () => Promise<void>, log: Logger): () => void {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const round = async () => {
    await run().catch((error: unknown) => log.warn({ err: error }, 'a recurring task failed'))
    if (!stopped) timer = setTimeout(round, milliseconds)
  }
  void round()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
