import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'
import type { PackageRow, SourceRow } from './tables.ts'
import { keyOf, type Offer } from './upstream.ts'

type Trx = Transaction<Tables>
type Taken = Pick<Offer, 'chart' | 'version'> & Pick<PackageRow, 'digest' | 'version_id' | 'refusal'>

/** Versions that a source has had, and what became of each. */
export function createPackageStore(db: Db) {
  return {
    async known({ tenant_id, id }: SourceRow): Promise<Map<string, PackageRow>> {
      const rows = await db.tenantOne<Tables, PackageRow[]>(tenant_id, (trx) =>
        trx.selectFrom('catalog_source_package').selectAll().where('source_id', '=', id).execute(),
      )
      return new Map(rows.map((row) => [keyOf(row), row]))
    },

    /** Items that did not come from this source, by chart name: a sentence about where they came from. */
    async elsewhere(
      { tenant_id, id, adds_to_uploads }: SourceRow,
      charts: readonly string[],
    ): Promise<Map<string, string>> {
      if (charts.length === 0) return new Map()
      const rows = await db.tenantOne<Tables, { name: string; source: string | null }[]>(tenant_id, (trx) =>
        trx
          .selectFrom('catalog_items')
          .leftJoin('catalog_source', 'catalog_source.id', 'catalog_items.source_id')
          .select(['catalog_items.name', 'catalog_source.name as source'])
          .where('catalog_items.name', '=', sql<string>`any(${charts})`)
          .where(sql<boolean>`catalog_items.source_id is distinct from ${id}`)
          .execute(),
      )
      const others = rows.filter(({ source }) => source !== null || !adds_to_uploads)
      return new Map(others.map(({ name, source }) => [name, fromElsewhere(source)]))
    },

    keep({ tenant_id, id }: SourceRow, row: Taken): Promise<unknown> {
      const { digest, version_id, refusal } = row
      return db.tenantOne<Tables, unknown>(tenant_id, (trx) =>
        trx
          .insertInto('catalog_source_package')
          .values({ ...row, tenant_id, source_id: id, gone_at: null })
          .onConflict((conflict) =>
            conflict
              .columns(['source_id', 'chart', 'version'])
              .doUpdateSet({ digest, version_id, refusal, gone_at: null }),
          )
          .execute(),
      )
    },

    /** Remembers that the source has these no more, or has them again. */
    mark({ tenant_id, id }: SourceRow, rows: readonly PackageRow[], isGone: boolean): Promise<unknown> {
      const keys = rows.map(keyOf)
      return db.tenantOne<Tables, unknown>(tenant_id, (trx: Trx) =>
        trx
          .updateTable('catalog_source_package')
          .set({ gone_at: isGone ? sql<Date>`clock_timestamp()` : null })
          .where('source_id', '=', id)
          .where(sql<boolean>`chart || ' ' || version = any(${keys})`)
          .execute(),
      )
    },
  }
}
export type PackageStore = ReturnType<typeof createPackageStore>

const fromElsewhere = (source: string | null) =>
  source === null
    ? 'The catalog has a chart of this name that was uploaded. Change the source if it may add versions to that one.'
    : `The catalog has a chart of this name from the source ${source}.`
