import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../../platform/db/db.ts'
import { longId } from '../../../../platform/db/ids.ts'
import type { Jobs } from '../../../../platform/jobs/jobs.ts'
import type { Tables } from '../../tables.ts'
import type { LineRow, RunRow } from '../tables.ts'

export const runQueue = 'catalog-source-run'
/** How long after its end a lease is still respected. */
const graceShare = 1 / 3
export const keptRuns = 20
/** A run that was begun so often and never ended takes its process down with it. */
export const mostBeginnings = 5

type Trx = Transaction<Tables>
/** Id of a source with its tenant. */
interface SourceRef {
  tenantId: string
  sourceId: string
}

/** Runs of sources: they are begun once, whoever asks, and carried out under a lease. */
export function createRunStore(db: Db, jobs: Pick<Jobs, 'send'>) {
  const within = <R>(tenantId: string, run: (trx: Trx) => Promise<R>) => db.tenant<Tables, R>(tenantId, run)
  const begin = createBegin(jobs)

  return {
    /** Begins one in a transaction that is under way. */
    beginIn: begin,

    begin: (source: SourceRef, askedBy: string | null): Promise<RunRow> =>
      within(source.tenantId, (trx) => begin(trx, source, askedBy)),

    /** Begins a run of each source that is due, and plans the one after it. */
    beginDue: (): Promise<SourceRef[]> =>
      db.platform<Tables, SourceRef[]>(async (trx) => {
        const due = await trx
          .selectFrom('catalog_source')
          .select(['id as sourceId', 'tenant_id as tenantId'])
          .where('next_run_at', '<=', sql<Date>`clock_timestamp()`)
          .limit(20)
          .forUpdate()
          .skipLocked()
          .execute()
        for (const source of due) {
          await begin(trx, source, null)
          await trx
            .updateTable('catalog_source')
            .set({ next_run_at: sql<Date>`clock_timestamp() + make_interval(hours => every_hours)` })
            .where('id', '=', source.sourceId)
            .execute()
        }
        return due
      }),

    /** Takes a run that nobody works on; undefined when somebody does, or works on another one of the tenant. */
    claim: (runId: string, owner: string, leaseSeconds: number): Promise<RunRow | undefined> =>
      db.platform<Tables, RunRow | undefined>(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('source-runs:' || tenant_id, 0))
          from catalog_source_run where id = ${runId}`.execute(trx)
        return trx
          .updateTable('catalog_source_run as run')
          .set({
            ...{ state: 'running', lease_owner: owner, lease_until: leaseEnd(leaseSeconds), fence: sql`fence + 1` },
            ...{ started_at: sql`coalesce(started_at, clock_timestamp())`, done: 0, known: 0, total: 0 },
          })
          .where('id', '=', runId)
          .where('ended_at', 'is', null)
          .where(isFree(leaseSeconds))
          .where(hasTurn(leaseSeconds))
          .returningAll()
          .executeTakeFirst()
      }),

    ...createWaking(db, within, jobs),
    ...createReading(within),
  }
}
/** Gives the run of a source that is under way, or a new one. */
function createBegin(jobs: Pick<Jobs, 'send'>) {
  return async (trx: Trx, { tenantId, sourceId }: SourceRef, askedBy: string | null): Promise<RunRow> => {
    const open = async () => {
      await trx
        .insertInto('catalog_source_run')
        .values({ id: longId(), tenant_id: tenantId, source_id: sourceId, state: 'waiting', asked_by: askedBy })
        .onConflict((conflict) => conflict.column('source_id').where('ended_at', 'is', null).doNothing())
        .execute()
      return trx
        .selectFrom('catalog_source_run')
        .selectAll()
        .where('source_id', '=', sourceId)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
    }
    // The run that was in the way may end before it is read: then there is room for a new one.
    const run = (await open()) ?? (await open())
    if (!run) throw new Error('two runs of a source ended while another one was begun')
    await jobs.send(trx, runQueue, run.id, { runId: run.id })
    return run
  }
}

type Within = <R>(tenantId: string, run: (trx: Trx) => Promise<R>) => Promise<R>

/** Wake-ups for those who carry runs out. */
function createWaking(db: Db, within: Within, jobs: Pick<Jobs, 'send'>) {
  return {
    /** Wakes somebody for runs that nobody works on: their holder is gone, or their wake-up got lost. */
    wakeUnattended: (leaseSeconds: number): Promise<void> =>
      db.platform<Tables, void>(async (trx) => {
        const oldest = trx
          .selectFrom('catalog_source_run as run')
          .select(['id', 'created_at'])
          .distinctOn('tenant_id')
          .where('ended_at', 'is', null)
          .where('created_at', '<', sql<Date>`clock_timestamp() - interval '5 seconds'`)
          .where(isFree(leaseSeconds))
          .where(hasTurn(leaseSeconds))
          .orderBy('tenant_id')
          .orderBy('created_at')
        const found = await trx.selectFrom(oldest.as('oldest')).select('id').orderBy('created_at').limit(20).execute()
        for (const { id } of found) await jobs.send(trx, runQueue, id, { runId: id })
      }),

    /** Wakes somebody for the next run of a tenant, one of whose runs has ended. */
    wakeNext: (tenantId: string): Promise<void> =>
      within(tenantId, async (trx) => {
        const next = await trx
          .selectFrom('catalog_source_run')
          .select('id')
          .where('ended_at', 'is', null)
          .where('lease_until', 'is', null)
          .orderBy('created_at')
          .limit(1)
          .executeTakeFirst()
        if (next) await jobs.send(trx, runQueue, next.id, { runId: next.id })
      }),
  }
}

/** Runs as they are now. */
function createReading(within: Within) {
  return {
    list: (tenantId: string, sourceId: string): Promise<RunRow[]> =>
      within(tenantId, (trx) =>
        trx
          .selectFrom('catalog_source_run')
          .selectAll()
          .where('source_id', '=', sourceId)
          .orderBy('created_at', 'desc')
          .limit(keptRuns)
          .execute(),
      ),

    one: (tenantId: string, sourceId: string, runId: string): Promise<{ run: RunRow; lines: LineRow[] } | undefined> =>
      within(tenantId, async (trx) => {
        const run = await trx
          .selectFrom('catalog_source_run')
          .selectAll()
          .where('id', '=', runId)
          .where('source_id', '=', sourceId)
          .executeTakeFirst()
        const lines = trx.selectFrom('catalog_source_line').selectAll().where('run_id', '=', runId)
        return run && { run, lines: await lines.orderBy('at').orderBy('chart').orderBy('version').execute() }
      }),
  }
}

export type RunStore = ReturnType<typeof createRunStore>

export const leaseEnd = (leaseSeconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

const isFree = (leaseSeconds: number) =>
  sql<boolean>`(run.lease_until is null or run.lease_until < ${graceBegin(leaseSeconds)})`

/** Tells whether no other run of the tenant is worked on: one tenant has one place, however many sources it has. */
const hasTurn = (leaseSeconds: number) => sql<boolean>`not exists (select from catalog_source_run other
  where other.tenant_id = run.tenant_id and other.id <> run.id and other.ended_at is null
    and other.lease_until >= ${graceBegin(leaseSeconds)})`

const graceBegin = (leaseSeconds: number) =>
  sql<Date>`clock_timestamp() - make_interval(secs => ${leaseSeconds * graceShare})`
