import { sql } from 'kysely'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'
import { hoursOf, type Taken } from './round.ts'
import type { Window } from './window.ts'

export interface LedgerRow {
  clusterId: string
  spaceId: string
  appId: string
  resource: Taken['resource']
  storageClass: string
  /** The beginning of the sheet that was valid then; null: none. */
  pricesFrom: string | null
  isSeen: boolean
  amount: number
  requested: number
  used: number
}
interface Wanted {
  clusterId?: string | undefined
  spaceId?: string | undefined
  appId?: string | undefined
}

const longestDays = 400

/** Amounts that were taken, by the hour. */
export function createLedgerStore(db: Db) {
  return {
    /** Adds what was taken since the round before, once however many replicas see the round. */
    add: (
      { tenantId, clusterId, at }: { tenantId: string; clusterId: string; at: Date },
      taken: readonly Taken[],
      everySeconds: number,
    ): Promise<void> =>
      db.tenant<Tables, void>(tenantId, async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`cost ${clusterId}`}, 0))`.execute(trx)
        const known = await trx
          .selectFrom('cost_clocks')
          .select('at')
          .where('cluster_id', '=', clusterId)
          .executeTakeFirst()
        const hours = hoursOf(known?.at, at, everySeconds)
        if (hours.length === 0) return
        await trx
          .insertInto('cost_clocks')
          .values({ tenant_id: tenantId, cluster_id: clusterId, at })
          .onConflict((conflict) => conflict.columns(['tenant_id', 'cluster_id']).doUpdateSet({ at }))
          .execute()
        for (const { hour, part } of hours) {
          const column = (of: (one: Taken) => string | number) => taken.map(of)
          // A time begins anew where other prices do, so that each has one sheet alone.
          await sql`insert into cost_hours as known
              (tenant_id, cluster_id, begun, space_id, app_id, resource, storage_class, amount, requested, used)
            select ${tenantId}, ${clusterId}, greatest(${hour}::timestamptz, (
                select max(valid_from) from price_sheets
                where cluster_id = ${clusterId} and valid_from <= ${at} and valid_from < ${hour}::timestamptz + interval '1 hour')),
              space_id, app_id, resource, storage_class,
              amount * ${part}::float8, requested * ${part}::float8, used * ${part}::float8
            from unnest(${column(({ spaceId }) => spaceId)}::text[], ${column(({ appId }) => appId)}::text[],
              ${column(({ resource }) => resource)}::text[], ${column(({ storageClass }) => storageClass)}::text[],
              ${column(({ amount }) => amount)}::float8[], ${column(({ requested }) => requested)}::float8[],
              ${column(({ used }) => used)}::float8[])
              as given (space_id, app_id, resource, storage_class, amount, requested, used)
            on conflict (tenant_id, cluster_id, begun, space_id, app_id, resource, storage_class) do update set
              amount = known.amount + excluded.amount, requested = known.requested + excluded.requested,
              used = known.used + excluded.used`.execute(trx)
        }
      }),

    /** Sums of a time, by place, resource and prices. `within` tells which spaces the reader sees; undefined: all. */
    sums: (
      tenantId: string,
      { from, to }: Window,
      { clusterId, spaceId, appId }: Wanted,
      within: SpaceCondition | undefined,
    ): Promise<LedgerRow[]> =>
      db.tenantOne<Tables, LedgerRow[]>(tenantId, async (trx) => {
        const isSeen = within ? sql`(cost_hours.space_id = '' or ${within('cost_hours.space_id')})` : sql`true`
        const { rows } =
          await sql<LedgerRow>`select cluster_id as "clusterId", space_id as "spaceId", app_id as "appId",
            resource, storage_class as "storageClass", sheet.valid_from as "pricesFrom", ${isSeen} as "isSeen",
            sum(amount) as amount, sum(requested) as requested, sum(used) as used
          from cost_hours left join lateral (
            select valid_from from price_sheets where price_sheets.cluster_id = cost_hours.cluster_id
              and price_sheets.valid_from <= cost_hours.begun order by valid_from desc limit 1) as sheet on true
          where begun >= date_trunc('hour', ${from}::timestamptz, 'UTC') and begun < ${to}
            and (${clusterId ?? null}::text is null or cluster_id = ${clusterId ?? null})
            and (${spaceId ?? null}::text is null or space_id in ('', ${spaceId ?? null}))
            and (${appId ?? null}::text is null or space_id = '' or app_id = ${appId ?? null})
          group by 1, 2, 3, 4, 5, 6, 7`.execute(trx)
        return rows.map((row) => ({ ...row, pricesFrom: row.pricesFrom && new Date(row.pricesFrom).toISOString() }))
      }),

    /** Forgets what is longer ago than any answer reaches. */
    tidy: (): Promise<void> =>
      db.platform<Tables, void>(async (trx) => {
        await sql`delete from cost_hours where begun < now() - make_interval(days => ${longestDays}::int)`.execute(trx)
      }),
  }
}
export type LedgerStore = ReturnType<typeof createLedgerStore>
