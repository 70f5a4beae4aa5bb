import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'
import { keptRuns, leaseEnd } from './run-store.ts'
import type { LineRow, RunRow } from './tables.ts'

type Trx = Transaction<Tables>
type Line = Pick<LineRow, 'chart' | 'version' | 'outcome' | 'message' | 'item_id'>
type Progress = Partial<Pick<RunRow, 'total' | 'done' | 'known' | 'current'>>
type Ending = Pick<RunRow, 'message'> & { state: 'done' | 'partly' | 'failed' }

/** The run was taken over, or its source is gone: nothing more is to be written. */
export class RunLost extends Error {
  override name = 'RunLost'
}

/** Writes of whoever holds a run, each under its fence. */
export function createRunWriter(db: Db, run: RunRow) {
  const { tenant_id: tenantId, source_id: sourceId } = run
  const held = (trx: Trx) =>
    trx
      .updateTable('catalog_source_run')
      .where('id', '=', run.id)
      .where('fence', '=', run.fence)
      .where('ended_at', 'is', null)
  const must = (row: unknown) => {
    if (row === undefined) throw new RunLost()
  }

  return {
    async renew(leaseSeconds: number): Promise<boolean> {
      const row = await db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        held(trx)
          .set({ lease_until: leaseEnd(leaseSeconds) })
          .where('lease_until', '>', sql<Date>`clock_timestamp()`)
          .returning('id')
          .executeTakeFirst(),
      )
      return row !== undefined
    },

    /** Lets go before the end, for another replica. */
    release: (): Promise<unknown> =>
      db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        held(trx).set({ lease_until: null, lease_owner: null }).execute(),
      ),

    async progress(change: Progress): Promise<void> {
      must(
        await db.tenantOne<Tables, unknown>(tenantId, (trx) =>
          held(trx).set(change).returning('id').executeTakeFirst(),
        ),
      )
    },

    /** Writes lines, and the counts that follow from all of them. */
    async lines(lines: readonly Line[], change: Progress): Promise<void> {
      if (lines.length === 0) return
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        must(
          await held(trx)
            .set({ state: 'running', ...change })
            .returning('id')
            .executeTakeFirst(),
        )
        await held(trx)
          .set(await addLines(trx, run, lines))
          .execute()
      })
    },

    /** Writes how it ended, and lets go of runs that are too old. */
    async end({ state, message }: Ending): Promise<void> {
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        const ended = { ended_at: sql<Date>`clock_timestamp()`, lease_owner: null, lease_until: null, current: null }
        must(
          await held(trx)
            .set({ ...ended, state, message })
            .returning('id')
            .executeTakeFirst(),
        )
        const kept = trx
          .selectFrom('catalog_source_run')
          .select('id')
          .where('source_id', '=', sourceId)
          .orderBy('created_at', 'desc')
          .limit(keptRuns)
        await trx
          .deleteFrom('catalog_source_run')
          .where('source_id', '=', sourceId)
          .where('id', 'not in', kept)
          .execute()
      })
    },
  }
}
export type RunWriter = ReturnType<typeof createRunWriter>

/** Adds lines to a run; the counts that it has then. */
async function addLines(trx: Trx, { id, tenant_id }: RunRow, lines: readonly Line[]) {
  await trx
    .insertInto('catalog_source_line')
    .values(lines.map((line) => ({ ...line, tenant_id, run_id: id })))
    .onConflict((conflict) => conflict.columns(['run_id', 'chart', 'version']).doNothing())
    .execute()
  const count = (outcome: Line['outcome']) =>
    sql<number>`(select count(*)::int from catalog_source_line where run_id = ${id} and outcome = ${outcome})`
  return { taken: count('taken'), refused: count('refused'), skipped: count('skipped') }
}
