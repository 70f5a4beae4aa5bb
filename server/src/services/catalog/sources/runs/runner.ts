import { randomUUID } from 'node:crypto'
import type { HttpFetcher } from '../../../../adapters/outgoing/outgoing.ts'
import type { Db } from '../../../../platform/db/db.ts'
import { isDatabaseTrouble } from '../../../../platform/http/errors.ts'
import type { Jobs } from '../../../../platform/jobs/jobs.ts'
import { keepLease } from '../../../../platform/jobs/keep-lease.ts'
import type { Live } from '../../../../platform/live/live.ts'
import type { Logger } from '../../../../platform/logging/logger.ts'
import type { TakeIn } from '../../take-in.ts'
import { readLimits } from '../limits.ts'
import { openUpstream } from '../open-upstream.ts'
import type { PackageStore } from '../package-store.ts'
import type { createSignIns } from '../sign-in.ts'
import type { SourceStore } from '../store.ts'
import type { RunRow } from '../tables.ts'
import { mostBeginnings, type RunStore, runQueue } from './run-store.ts'
import { createRunWriter, RunLost, type RunWriter } from './run-writer.ts'
import { synchronise } from './synchronise.ts'

/** A run whose holder is gone, or that is due, is found after this long, or after half a lease where that is shorter. */
const lookEveryMs = 10_000
/** Runs of one replica at once, of a tenant one; each waits for other hosts most of its time. */
const atOnce = 4

interface RunnerDeps {
  db: Db
  log: Logger
  jobs: Pick<Jobs, 'declare' | 'work' | 'every'>
  leaseSeconds: number
  get: HttpFetcher
  store: SourceStore
  runs: RunStore
  packages: PackageStore
  signIns: ReturnType<typeof createSignIns>
  takeIn: TakeIn
  changed: Live['changed']
}

const internal = "Internal error. The portal's log has the cause."

async function carryOut(deps: RunnerDeps, run: RunRow, writer: RunWriter, signal: AbortSignal): Promise<void> {
  const { tenant_id: tenantId, source_id: sourceId } = run
  const found = await deps.store.one(tenantId, sourceId)
  if (!found) throw new RunLost()
  const { source } = found
  await synchronise({
    ...{ source, run, writer, signal, packages: deps.packages, takeIn: deps.takeIn },
    deadline: AbortSignal.timeout(readLimits.runMs),
    upstream: openUpstream(deps.get, source, deps.signIns.open(source)),
    tell(itemId) {
      if (itemId === undefined) deps.changed(tenantId, 'catalog-sources', sourceId)
      else deps.changed(tenantId, 'catalog', itemId)
    },
  })
}

/** Carries out runs, each on one replica, and begins those that are due. */
export function createRunner(deps: RunnerDeps) {
  const { db, log, jobs, leaseSeconds, runs } = deps
  const owner = randomUUID()
  const stopping = new AbortController()

  /** Ends a run that failed for a reason of ours, unless it can go on later. */
  async function settle(run: RunRow, writer: RunWriter, error: unknown, isLost: boolean): Promise<void> {
    if (isLost || error instanceof RunLost) return
    const goesOn = stopping.signal.aborted || isDatabaseTrouble(error)
    if (!goesOn) log.error({ err: error, runId: run.id }, 'a source could not be synchronised')
    const settled = goesOn
      ? writer.release()
      : writer.end(
          () => 'failed',
          () => internal,
        )
    await settled.catch((cause: unknown) => {
      if (!(cause instanceof RunLost)) log.warn({ err: cause, runId: run.id }, 'a run of a source was not let go of')
    })
  }

  async function work(runId: string): Promise<void> {
    if (stopping.signal.aborted) return
    const run = await runs.claim(runId, owner, leaseSeconds)
    if (!run) return
    const writer = createRunWriter(db, run, runs.beginIn)
    const lost = new AbortController()
    const stopLease = keepLease(
      leaseSeconds,
      () => writer.renew(leaseSeconds),
      (why) => lost.abort(new Error(why)),
      log,
    )
    deps.changed(run.tenant_id, 'catalog-sources', run.source_id)
    try {
      if (run.fence > mostBeginnings)
        await writer.end(
          () => 'failed',
          () => `Started ${mostBeginnings} times and never finished.`,
        )
      else await carryOut(deps, run, writer, AbortSignal.any([lost.signal, stopping.signal]))
    } catch (error) {
      await settle(run, writer, error, lost.signal.aborted)
    } finally {
      stopLease()
      deps.changed(run.tenant_id, 'catalog-sources', run.source_id)
      await runs
        .wakeNext(run.tenant_id)
        .catch((error: unknown) => log.warn({ err: error }, 'the next source was not woken'))
    }
  }

  async function look(): Promise<void> {
    for (const { tenantId, sourceId } of await runs.beginDue()) deps.changed(tenantId, 'catalog-sources', sourceId)
    await runs.wakeUnattended(leaseSeconds)
  }

  return {
    async start(): Promise<void> {
      await jobs.declare(runQueue, { concurrency: atOnce, expireSeconds: 6 * 3600 })
      await jobs.work<{ runId: string }>(runQueue, ({ runId }) => work(runId))
      jobs.every(Math.min(lookEveryMs, leaseSeconds * 500), look)
    },
    /** Lets go of runs under way; another replica goes on with them. */
    stop: () => stopping.abort(new Error('the portal is ending')),
  }
}
