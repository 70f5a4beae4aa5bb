import { webhookLimits } from '@quayside/contract/webhooks/rules'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import { longId } from '../../platform/db/ids.ts'
import { type Candidate, choose } from './choose.ts'
import { dropBeyond, switchOff } from './drop.ts'
import { type Event, isWanted } from './event.ts'
import type { Attempt, outcomeOf } from './outcome.ts'
import type { DeliveryRow, Tables, WebhookRow } from './tables.ts'

type Trx = Transaction<Tables>

/** A tenant with webhooks that are on. */
export interface Due {
  tenantId: string
  /** Since when it is to be looked at, and now, by the clock of the database. */
  since: Date
  now: Date
  hearsHealth: boolean
}

/** An attempt that nobody else makes as long as its lease lasts. */
export interface Claim {
  webhook: WebhookRow
  delivery: DeliveryRow
  lease: string
}

/** Longer than an attempt and the writing down of how it went. */
const leaseSeconds = 30
/** An end that is committed late, under an earlier time, is found as long as this. */
const overlap = sql`interval '5 minutes'`
const forgottenAtOnce = 5000

/** Deliveries that wait, for the portal's own work in all tenants. */
export function createQueueStore(db: Db) {
  return {
    tenants: (): Promise<Due[]> =>
      db.platformOne<Tables, Due[]>((trx) =>
        trx
          .selectFrom('webhook')
          .select('tenant_id as tenantId')
          .select(sql<Date>`min(greatest(since, collected_at - ${overlap}))`.as('since'))
          .select(sql<Date>`clock_timestamp()`.as('now'))
          .select(sql<boolean>`bool_or('app-health' = any(events))`.as('hearsHealth'))
          .where('enabled', '=', true)
          .groupBy('tenant_id')
          .execute(),
      ),

    /** Queues events for the webhooks that want them, each once, and returns those whose queue has grown. */
    add: (tenantId: string, events: readonly Event[]): Promise<string[]> =>
      db.tenant<Tables, string[]>(tenantId, async (trx) => {
        const hooks = await trx
          .selectFrom('webhook')
          .selectAll()
          .where('enabled', '=', true)
          .orderBy('id')
          .forUpdate()
          .execute()
        const grown: string[] = []
        for (const hook of hooks) {
          const wanted = events.filter((event) => isWanted(event, hook))
          if ((await insert(trx, hook, wanted)) === 0) continue
          await dropBeyond(trx, hook.id)
          grown.push(hook.id)
        }
        return grown
      }),

    /** Writes down until when everything was queued; one that was switched on meanwhile has its own time. */
    collected: (tenantId: string, until: Date): Promise<void> =>
      db.tenantOne<Tables, void>(tenantId, async (trx) => {
        const on = trx.updateTable('webhook').set({ collected_at: until }).where('enabled', '=', true)
        await on.where('collected_at', '<', until).execute()
      }),

    ...createAttempts(db),

    /** Removes old deliveries; true when there may be more. */
    forgetSome: (): Promise<boolean> =>
      db.platformOne<Tables, boolean>(async (trx) => {
        const { numAffectedRows } = await sql`delete from webhook_delivery where (webhook_id, event_id) in (
          select webhook_id, event_id from webhook_delivery
          where made_at < clock_timestamp() - make_interval(days => ${webhookLimits.keptDays}::int)
          limit ${forgottenAtOnce})`.execute(trx)
        return numAffectedRows === BigInt(forgottenAtOnce)
      }),
  }
}
export type QueueStore = ReturnType<typeof createQueueStore>

/** Attempts to send what waits, each made by one replica. */
function createAttempts(db: Db) {
  return {
    /** Takes what is to be sent next, within the places that there are. */
    claim: (): Promise<Claim[]> =>
      db.platform<Tables, Claim[]>(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtext('webhook claims'))`.execute(trx)
        const claims: Claim[] = []
        // In one order, as everybody locks several of them.
        for (const id of choose(await candidates(trx)).sort()) claims.push(...(await take(trx, id)))
        return claims
      }),

    /** Writes down how an attempt went; false when its lease was lost, and the attempt will be made again. */
    end: (
      { webhook, delivery, lease }: Claim,
      attempt: Attempt,
      outcome: ReturnType<typeof outcomeOf>,
    ): Promise<boolean> =>
      db.platform<Tables, boolean>(async (trx) => {
        const ended = await trx
          .updateTable('webhook')
          .set({ lease: null, lease_until: null, tried_at: now, last_worked: attempt.isDelivered })
          // An address that was changed meanwhile has begun the count anew.
          .set({
            given_up: sql<number>`case when address = ${webhook.address} then ${outcome.givenUp}::int else given_up end`,
          })
          .where('id', '=', webhook.id)
          .where('lease', '=', lease)
          .returning('address')
          .executeTakeFirst()
        if (!ended) return false
        await record(trx, delivery, attempt, outcome)
        // Each saving encrypts the address anew: one that somebody has changed meanwhile is not judged by this attempt.
        if (outcome.offReason !== null && ended.address === webhook.address)
          await switchOff(trx, webhook.id, outcome.offReason)
        return true
      }),
  }
}

const now = sql<Date>`clock_timestamp()`

async function insert(trx: Trx, hook: WebhookRow, events: readonly Event[]): Promise<number> {
  if (events.length === 0) return 0
  const result = await sql`insert into webhook_delivery
      (tenant_id, webhook_id, event_id, space_id, type, about, at, body, state, next_at)
    select ${hook.tenant_id}, ${hook.id}, e.id, e."spaceId", e.type, e.about, e.at, e.body, 'waiting', clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as e(id text, type text, about text, at timestamptz, body text, "spaceId" text)
    on conflict do nothing`.execute(trx)
  return Number(result.numAffectedRows ?? 0n)
}

async function candidates(trx: Trx): Promise<Candidate[]> {
  const found = await sql<Candidate>`select w.id, w.tenant_id as "tenantId", w.last_worked is false as "isFailing",
      coalesce(w.lease_until > clock_timestamp(), false) as "isBusy"
    from webhook w where w.lease_until > clock_timestamp() or (w.enabled and exists (
      select from webhook_delivery d
      where d.webhook_id = w.id and d.state = 'waiting' and d.next_at <= clock_timestamp()))
    order by w.tried_at nulls first, w.id`.execute(trx)
  return found.rows
}

async function take(trx: Trx, id: string): Promise<Claim[]> {
  const delivery = await trx
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('webhook_id', '=', id)
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()
  if (!delivery) return []
  const lease = longId()
  const webhook = await trx
    .updateTable('webhook')
    .set({ lease, lease_until: sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})` })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .returningAll()
    .executeTakeFirst()
  return webhook ? [{ webhook, delivery, lease }] : []
}

/** A delivery that arrived has, although it was dropped meanwhile; one that did not is only tried again while it waits. */
async function record(
  trx: Trx,
  { webhook_id, event_id, attempts }: DeliveryRow,
  { isDelivered, status }: Attempt,
  { state, nextInSeconds, says }: ReturnType<typeof outcomeOf>,
): Promise<void> {
  const next_at = nextInSeconds === null ? null : sql<Date>`clock_timestamp() + make_interval(secs => ${nextInSeconds})`
  const isOver = state === 'waiting' ? {} : { body: '' }
  let query = trx
    .updateTable('webhook_delivery')
    .set({ state, status, says, next_at, attempts: attempts + 1, ...isOver })
    .where('webhook_id', '=', webhook_id)
    .where('event_id', '=', event_id)
  if (!isDelivered) query = query.where('state', '=', 'waiting')
  await query.execute()
}
