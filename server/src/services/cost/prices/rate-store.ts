import type { Rate } from '@quayside/contract/cost/prices'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'

/** Exchange rates of tenants, by hand and from a file. */
export function createRateStore(db: Db) {
  return {
    /** One for each currency, that of a person before that of the file. */
    rates: (tenantId: string): Promise<Rate[]> =>
      db.tenantOne<Tables, Rate[]>(tenantId, async (trx) => {
        const rows = await trx
          .selectFrom('exchange_rates')
          .selectAll()
          .distinctOn('currency')
          .orderBy('currency')
          .orderBy('source', 'desc')
          .execute()
        return rows.map(({ currency, per_euro, as_of, source }) => ({
          ...{ currency, source },
          perEuro: Number(per_euro),
          asOf: as_of,
        }))
      }),

    setRates: (tenantId: string, rates: readonly Omit<Rate, 'source'>[]): Promise<void> =>
      db.tenant<Tables, void>(tenantId, async (trx) => {
        await trx.deleteFrom('exchange_rates').where('source', '=', 'hand').execute()
        const rows = rates.map(({ currency, perEuro, asOf }) => ({
          ...{ tenant_id: tenantId, source: 'hand' as const, currency },
          ...{ per_euro: perEuro, as_of: asOf },
        }))
        if (rows.length > 0) await trx.insertInto('exchange_rates').values(rows).execute()
      }),

    /** Replaces the rates of the file in every tenant. */
    loadRates: (asOf: string, perEuro: ReadonlyMap<string, number>): Promise<void> =>
      db.platform<Tables, void>(async (trx) => {
        await sql`insert into exchange_rates (tenant_id, source, currency, per_euro, as_of)
          select tenants.id, 'file', given.currency, given.per_euro, ${asOf}
          from tenants, unnest(${[...perEuro.keys()]}::text[], ${[...perEuro.values()]}::numeric[])
            as given (currency, per_euro)
          on conflict (tenant_id, currency, source) do update
            set per_euro = excluded.per_euro, as_of = excluded.as_of`.execute(trx)
      }),
  }
}
