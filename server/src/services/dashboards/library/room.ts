import { mostConfigurations, mostEntryBytes, mostWidgets } from '@quayside/contract/dashboards/rules'
import { sql } from 'kysely'
import { fail } from '../../../platform/http/errors.ts'
import type { Trx } from '../store.ts'

const tables = {
  dashboard_widgets: { most: mostWidgets, bytes: sql<number>`octet_length(settings_schema::text || defaults::text)` },
  dashboard_configurations: { most: mostConfigurations, bytes: sql<number>`octet_length(value::text)` },
} as const
type EntryTable = keyof typeof tables

/** Lets one change of a tenant's entries run at a time, until the transaction ends. */
export const lockEntries = (trx: Trx, tenantId: string, table: EntryTable): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext(${`${table} ${tenantId}`}))`.execute(trx)

/** Refuses a change after which a tenant has more entries than it may, or more bytes of them: a list answers them whole. */
export async function mustFit(trx: Trx, table: EntryTable): Promise<void> {
  const { most, bytes } = tables[table]
  const { rows } = await sql<{ count: number; bytes: number }>`select count(*)::int as count,
    coalesce(sum(${bytes}), 0)::int as bytes from ${sql.table(table)}`.execute(trx)
  if (rows.some((all) => all.count > most || all.bytes > mostEntryBytes)) throw fail('dashboard.too-many')
}
