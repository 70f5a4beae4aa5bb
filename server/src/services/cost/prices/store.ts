import type { PriceSheet, PriceSheetInput } from '@quayside/contract/cost/prices'
import { mostSheets } from '@quayside/contract/cost/rules'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'
import { createRateStore } from './rate-store.ts'

const numberOf = (text: string | null) => (text === null ? null : Number(text))

/** Price sheets of clusters, and exchange rates. */
export function createPriceStore(db: Db) {
  return {
    /** Newest first. */
    sheets: (tenantId: string, clusterIds: readonly string[]): Promise<(PriceSheet & { clusterId: string })[]> =>
      db.tenantOne<Tables, (PriceSheet & { clusterId: string })[]>(tenantId, async (trx) => {
        const rows = await trx
          .selectFrom('price_sheets')
          .selectAll()
          .where('cluster_id', '=', sql<string>`any(${[...clusterIds]}::text[])`)
          .orderBy('valid_from', 'desc')
          .execute()
        return rows.map((row) => ({ clusterId: row.cluster_id, ...toSheet(row) }))
      }),

    /**
     * Adds a sheet, or changes one that has not begun. Says why it does not: the past has prices already, or there are
     * too many.
     */
    add: (
      { tenantId, username }: { tenantId: string; username: string },
      clusterId: string,
      { validFrom, storage, ...prices }: PriceSheetInput,
    ): Promise<'added' | 'past' | 'too-many'> =>
      db.tenant<Tables, 'added' | 'past' | 'too-many'>(tenantId, async (trx) => {
        // Two at a time would each find the place before them free.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`prices ${clusterId}`}, 0))`.execute(trx)
        const known = await trx
          .selectFrom('price_sheets')
          .select(['valid_from', sql<boolean>`valid_from <= clock_timestamp()`.as('begun')])
          .where('cluster_id', '=', clusterId)
          .execute()
        if (known.length >= mostSheets) return 'too-many'
        const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx)
        const now = rows[0]?.now ?? new Date()
        const from = validFrom === undefined ? now : new Date(validFrom)
        if (from < now && known.some(({ begun }) => begun)) return 'past'
        const values = {
          currency: prices.currency,
          core_hour: prices.coreHour,
          memory_gib_hour: prices.memoryGibHour,
          storage: JSON.stringify(storage),
          load_balancer_hour: prices.loadBalancerHour,
          overhead_hour: prices.overheadHour,
          created_by: username,
        }
        await trx
          .insertInto('price_sheets')
          .values({ tenant_id: tenantId, cluster_id: clusterId, valid_from: from, ...values })
          .onConflict((conflict) => conflict.columns(['tenant_id', 'cluster_id', 'valid_from']).doUpdateSet(values))
          .execute()
        return 'added'
      }),

    ...createRateStore(db),
  }
}
export type PriceStore = ReturnType<typeof createPriceStore>

function toSheet(row: Selectable<Tables['price_sheets']>): PriceSheet {
  return {
    currency: row.currency,
    coreHour: Number(row.core_hour),
    memoryGibHour: Number(row.memory_gib_hour),
    storage: row.storage,
    loadBalancerHour: numberOf(row.load_balancer_hour),
    overheadHour: numberOf(row.overhead_hour),
    validFrom: row.valid_from.toISOString(),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
  }
}
