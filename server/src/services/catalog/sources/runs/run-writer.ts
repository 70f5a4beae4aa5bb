import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../../platform/db/db.ts'
import type { Tables } from '../../tables.ts'
import type { LineRow, RunRow } from '../tables.ts'
import { keyOf } from '../upstream.ts'
import { keptRuns, leaseEnd, type RunStore } from './run-store.ts'

type Trx = Transaction<Tables>
export type Line = Pick<LineRow, 'chart' | 'version' | 'outcome' | 'message' | 'item_id'>
type Progress = Partial<Pick<RunRow, 'total' | 'done' | 'known' | 'current'>>
type Counts = Pick<RunRow, 'taken' | 'known' | 'refused' | 'skipped'>

/** The run was taken over, or its source is gone: nothing more is to be written. */
export class RunLost extends Error {
  override name = 'RunLost'
}

/** Changes a run as long as it is still held. */
const heldBy = (run: RunRow) => (trx: Trx) =>
  trx
    .updateTable('catalog_source_run')
    .where('id', '=', run.id)
    .where('fence', '=', run.fence)
    .where('ended_at', 'is', null)
type Held = ReturnType<typeof heldBy>

/** Writes of whoever holds a run, each under its fence. */
export function createRunWriter(db: Db, run: RunRow, begin: RunStore['beginIn']) {
  const { tenant_id: tenantId } = run
  const held = heldBy(run)
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

    /** Keys of the versions that it has taken, also under whoever held it before. */
    async taken(): Promise<Set<string>> {
      const rows = await db.tenantOne<Tables, Pick<LineRow, 'chart' | 'version'>[]>(tenantId, (trx) =>
        trx
          .selectFrom('catalog_source_line')
          .select(['chart', 'version'])
          .where('run_id', '=', run.id)
          .where('outcome', '=', 'taken')
          .execute(),
      )
      return new Set(rows.map(keyOf))
    },

    /** Writes lines, and the counts that follow from all of them. */
    async lines(lines: readonly Line[], change: Progress): Promise<void> {
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        must(
          await held(trx)
            .set({ state: 'running', ...change })
            .returning('id')
            .executeTakeFirst(),
        )
        if (lines.length > 0)
          await held(trx)
            .set(await addLines(trx, run, lines))
            .execute()
      })
    },

    end: createEnd(db, run, held, begin),
  }
}
export type RunWriter = ReturnType<typeof createRunWriter>

/**
 * Writes how a run ended, which follows from what it did, and lets go of runs that are too old. A source that was changed
 * after the run had begun is synchronised again: the run went by what the source was before.
 */
function createEnd(db: Db, run: RunRow, held: Held, begin: RunStore['beginIn']) {
  const { id, tenant_id: tenantId, source_id: sourceId } = run
  return (stateOf: (counts: Counts) => 'done' | 'partly' | 'failed', say: (counts: Counts) => string): Promise<void> =>
    db.tenant<Tables, void>(tenantId, async (trx) => {
      const ended = { ended_at: sql<Date>`clock_timestamp()`, lease_owner: null, lease_until: null, current: null }
      const counts = await held(trx).set(ended).returning(['taken', 'known', 'refused', 'skipped']).executeTakeFirst()
      if (!counts) throw new RunLost()
      await trx
        .updateTable('catalog_source_run')
        .set({ state: stateOf(counts), message: say(counts) })
        .where('id', '=', id)
        .execute()
      const kept = trx
        .selectFrom('catalog_source_run')
        .select('id')
        .where('source_id', '=', sourceId)
        .orderBy('created_at', 'desc')
        .limit(keptRuns)
      await trx.deleteFrom('catalog_source_run').where('source_id', '=', sourceId).where('id', 'not in', kept).execute()
      const changed = await trx
        .selectFrom('catalog_source')
        .innerJoin('catalog_source_run', 'catalog_source_run.source_id', 'catalog_source.id')
        .select('catalog_source.id')
        .where('catalog_source_run.id', '=', id)
        .whereRef('catalog_source.updated_at', '>', 'catalog_source_run.started_at')
        .executeTakeFirst()
      if (changed) await begin(trx, { tenantId, sourceId }, run.asked_by)
    })
}

/** Rows of one statement: a statement takes 65,535 values. */
const rowsAtOnce = 2000

/** Adds lines to a run, a newer one about the same version instead of the older; the counts that it has then. */
async function addLines(trx: Trx, { id, tenant_id }: RunRow, lines: readonly Line[]) {
  const rows = [...new Map(lines.map((line) => [keyOf(line), { ...line, tenant_id, run_id: id }])).values()]
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await trx
      .insertInto('catalog_source_line')
      .values(rows.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['run_id', 'chart', 'version'])
          .doUpdateSet((row) => ({
            outcome: row.ref('excluded.outcome'),
            message: row.ref('excluded.message'),
            item_id: row.ref('excluded.item_id'),
            at: row.ref('excluded.at'),
          }))
          // A version that it has taken stays so, whatever the source has become since.
          .where('catalog_source_line.outcome', '<>', 'taken'),
      )
      .execute()
  const count = (outcome: Line['outcome']) =>
    sql<number>`(select count(*)::int from catalog_source_line where run_id = ${id} and outcome = ${outcome})`
  return { taken: count('taken'), refused: count('refused'), skipped: count('skipped') }
}
