import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Tables } from '../tables.ts'
import type { RunRow, SourceRow } from './tables.ts'

type Trx = Transaction<Tables>

/** A source with how much of the catalog it brought, and the run that is under way or the last one. */
export interface SourceWithRun {
  source: SourceRow & { items: number; brought: number }
  run: RunRow | undefined
}

/** Ids of the items of a source, and of the versions that it brought; people may have added others to the items. */
export interface Brought {
  items: string[]
  versions: string[]
}

type NewSource = Omit<SourceRow, 'tenant_id' | 'created_at' | 'updated_at'>
type Change = Partial<Omit<NewSource, 'id' | 'created_by'>>

/** Reads and writes the sources of a tenant. */
export function createSourceStore(db: Db) {
  const within = <R>(tenantId: string, run: (trx: Trx) => Promise<R>) => db.tenant<Tables, R>(tenantId, run)

  return {
    all: (tenantId: string): Promise<SourceWithRun[]> =>
      within(tenantId, async (trx) => withRuns(trx, await sources(trx).orderBy(sql`lower(name)`).execute())),

    one: (tenantId: string, id: string): Promise<SourceWithRun | undefined> =>
      within(tenantId, async (trx) => (await withRuns(trx, await sources(trx).where('id', '=', id).execute()))[0]),

    /** Adds a source unless the tenant has `most` of them. */
    add: (tenantId: string, row: NewSource, most: number): Promise<void> =>
      within(tenantId, async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`sources:${tenantId}`}, 0))`.execute(trx)
        const { count } = await trx
          .selectFrom('catalog_source')
          .select(sql<number>`count(*)::int`.as('count'))
          .executeTakeFirstOrThrow()
        if (count >= most) throw fail('catalog.sources-too-many', { details: { most } })
        await named(
          trx
            .insertInto('catalog_source')
            .values({ ...row, tenant_id: tenantId })
            .execute(),
        )
      }),

    change: (tenantId: string, id: string, change: Change): Promise<void> =>
      within(tenantId, async (trx) => {
        const set = { ...change, updated_at: sql<Date>`clock_timestamp()` }
        await named(trx.updateTable('catalog_source').set(set).where('id', '=', id).execute())
      }),

    /** Takes the source out, and returns what came from it, which stays; nothing more of it can come from then on. */
    remove: (tenantId: string, id: string): Promise<Brought> =>
      within(tenantId, async (trx) => {
        await trx.selectFrom('catalog_source').select('id').where('id', '=', id).forUpdate().execute()
        const [items, versions] = [
          await trx.selectFrom('catalog_items').select('id').where('source_id', '=', id).execute(),
          await trx.selectFrom('catalog_versions').select('id').where('source_id', '=', id).execute(),
        ]
        await trx.deleteFrom('catalog_source').where('id', '=', id).execute()
        return { items: items.map((item) => item.id), versions: versions.map((version) => version.id) }
      }),
  }
}
export type SourceStore = ReturnType<typeof createSourceStore>

const sources = (trx: Trx) =>
  trx
    .selectFrom('catalog_source')
    .selectAll()
    .select(sql<number>`(select count(*)::int from catalog_items i where i.source_id = catalog_source.id)`.as('items'))
    .select(
      sql<number>`(select count(*)::int from catalog_versions v where v.source_id = catalog_source.id)`.as('brought'),
    )

async function withRuns(trx: Trx, found: SourceWithRun['source'][]): Promise<SourceWithRun[]> {
  if (found.length === 0) return []
  const runs = await trx
    .selectFrom('catalog_source_run')
    .selectAll()
    .distinctOn('source_id')
    .where(
      'source_id',
      'in',
      found.map(({ id }) => id),
    )
    .orderBy('source_id')
    .orderBy('created_at', 'desc')
    .execute()
  const bySource = new Map(runs.map((run) => [run.source_id, run]))
  return found.map((source) => ({ source, run: bySource.get(source.id) }))
}

/** A name that another source has is refused by the database alone: two at once would both find it free. */
async function named(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    const isTaken = error instanceof Error && 'constraint' in error && error.constraint === 'catalog_source_name'
    throw isTaken ? fail('catalog.source-name-taken', { field: 'name', cause: error }) : error
  })
}
