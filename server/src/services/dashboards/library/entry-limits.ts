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
const lockEntries = (trx: Trx, tenantId: string, table: EntryTable): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext(${`${table} ${tenantId}`}))`.execute(trx)

interface Size {
  count: number
  bytes: number
}

/**
 * Runs a change of a tenant's entries alone, and refuses one by which there are more of them than there may be, or more
 * bytes of them: a list answers them whole. One by which they become fewer or shorter is always in order.
 */
export async function changeWithinLimits<R>(
  trx: Trx,
  tenantId: string,
  table: EntryTable,
  change: () => Promise<R>,
): Promise<R> {
  await lockEntries(trx, tenantId, table)
  const before = await sizeOf(trx, table)
  const changed = await change()
  mustBeWithinLimits(table, before, await sizeOf(trx, table))
  return changed
}

async function sizeOf(trx: Trx, table: EntryTable): Promise<Size> {
  const { rows } = await sql<Size>`select count(*)::int as count,
    coalesce(sum(${tables[table].bytes}), 0)::int as bytes from ${sql.table(table)}`.execute(trx)
  return rows[0] ?? { count: 0, bytes: 0 }
}

export function mustBeWithinLimits(table: EntryTable, before: Size, after: Size): void {
  const isOver = (most: number, size: keyof Size) => after[size] > most && after[size] > before[size]
  if (isOver(tables[table].most, 'count') || isOver(mostEntryBytes, 'bytes')) throw fail('dashboard.too-many')
}
