import { webhookLimits } from '@quayside/contract/webhooks/rules'
import { sql, type Transaction } from 'kysely'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { fail } from '../../platform/http/errors.ts'
import { dropUnwanted, dropWaiting } from './drop.ts'
import { testType } from './event.ts'
import type { DeliveryRow, Tables, WebhookRow } from './tables.ts'

type Trx = Transaction<Tables>
export type Listed = WebhookRow & { waiting: number }
type Settings = Pick<WebhookRow, 'name' | 'address' | 'secret' | 'events' | 'space_ids' | 'enabled'>
/** Those that are changed; whether it is on is always said. */
type Changed = Partial<Settings> & Pick<Settings, 'enabled'>

/** Webhooks of a tenant as people see and change them. */
export function createWebhookStore(db: Db) {
  const within = <R>(tenantId: string, run: (trx: Trx) => Promise<R>) => db.tenant<Tables, R>(tenantId, run)

  return {
    all: (tenantId: string): Promise<Listed[]> =>
      db.tenantOne<Tables, Listed[]>(tenantId, (trx) => listed(trx).orderBy(sql`lower(name)`).execute()),

    one: (tenantId: string, id: string): Promise<Listed | undefined> =>
      db.tenantOne<Tables, Listed | undefined>(tenantId, (trx) => listed(trx).where('id', '=', id).executeTakeFirst()),

    add: (tenantId: string, row: Settings & { id: string; created_by: string }): Promise<void> =>
      within(tenantId, async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks:${tenantId}`}, 0))`.execute(trx)
        const count = sql<number>`count(*)::int`.as('count')
        const there = await trx.selectFrom('webhook').select(count).executeTakeFirstOrThrow()
        const most = webhookLimits.webhooks
        if (there.count >= most) throw fail('webhook.too-many', { details: { most } })
        const values = { ...row, tenant_id: tenantId, collected_at: now, since: now }
        await named(trx.insertInto('webhook').values(values).execute())
      }),

    /** Nothing is kept for a webhook while it is off: what waits is dropped, and what happens is not told later. */
    change: (tenantId: string, id: string, settings: Changed): Promise<void> =>
      within(tenantId, async (trx) => {
        const before = await trx
          .selectFrom('webhook')
          .select('enabled')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (!before) throw fail('webhook.not-found')
        const isSwitchedOff = before.enabled && !settings.enabled
        const begins = settings.enabled && !before.enabled ? { since: now, collected_at: now } : {}
        // One that the portal has switched off goes on saying why until it is on again.
        const count = settings.enabled || isSwitchedOff ? { off_reason: null, given_up: 0 } : {}
        const set = { ...settings, ...begins, ...count }
        await named(trx.updateTable('webhook').set(set).where('id', '=', id).execute())
        if (isSwitchedOff) await dropWaiting(trx, id)
        else if (settings.space_ids) await dropUnwanted(trx, id, settings.space_ids)
      }),

    remove: (tenantId: string, id: string): Promise<boolean> =>
      db.tenantOne<Tables, boolean>(tenantId, async (trx) => {
        const { numDeletedRows } = await trx.deleteFrom('webhook').where('id', '=', id).executeTakeFirst()
        return numDeletedRows > 0n
      }),

    /** Tests, and what is about the spaces of `within`; undefined: everything. */
    deliveries: (tenantId: string, id: string, within: SpaceCondition | undefined): Promise<DeliveryRow[]> =>
      db.tenantOne<Tables, DeliveryRow[]>(tenantId, (trx) =>
        trx
          .selectFrom('webhook_delivery')
          .selectAll()
          .where('webhook_id', '=', id)
          .where((where) => (within ? where.or([where('type', '=', testType), within('space_id')]) : sql.lit(true)))
          .orderBy('made_at', 'desc')
          .limit(webhookLimits.shown)
          .execute(),
      ),

    /** Writes down a test, which was sent already and is not sent again. */
    addTest: (tenantId: string, row: Omit<DeliveryRow, 'tenant_id' | 'made_at'>): Promise<void> =>
      within(tenantId, async (trx) => {
        const there = trx.selectFrom('webhook').select('id').where('id', '=', row.webhook_id).forKeyShare()
        // It can have been deleted while the receiver took its time.
        if (!(await there.executeTakeFirst())) throw fail('webhook.not-found')
        await trx
          .insertInto('webhook_delivery')
          .values({ ...row, tenant_id: tenantId })
          .execute()
        await forgetTests(trx, row.webhook_id)
      }),
  }
}
export type WebhookStore = ReturnType<typeof createWebhookStore>

const now = sql<Date>`clock_timestamp()`

const listed = (trx: Trx) =>
  trx
    .selectFrom('webhook')
    .selectAll()
    .select(
      sql<number>`(select count(*)::int from webhook_delivery d where d.webhook_id = webhook.id and d.state = 'waiting')`.as(
        'waiting',
      ),
    )

/** A name that another webhook has is refused by the database alone: two at once would both find it free. */
async function named(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    const isTaken = error instanceof Error && 'constraint' in error && error.constraint === 'webhook_name'
    throw isTaken ? fail('webhook.name-taken', { field: 'name', cause: error }) : error
  })
}

const keptTests = 10

/** However often somebody sends a test, the deliveries of events go on being shown. */
const forgetTests = (trx: Trx, id: string) =>
  sql`delete from webhook_delivery where webhook_id = ${id} and event_id in (
    select event_id from webhook_delivery where webhook_id = ${id} and type = ${testType}
    order by made_at desc offset ${keptTests})`.execute(trx)
