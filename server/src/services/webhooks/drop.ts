import { webhookLimits } from '@quayside/contract/webhooks/rules'
import { sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>

/** Drops the oldest of a queue that has become too long, and counts them. */
export async function dropBeyond(trx: Trx, id: string): Promise<void> {
  const result = await sql`update webhook_delivery d
    set state = 'dropped', body = '', next_at = null, says = 'Too many deliveries were waiting, and this was the oldest.'
    from (select event_id from webhook_delivery where webhook_id = ${id} and state = 'waiting'
      order by at desc, event_id offset ${webhookLimits.waiting}) old
    where d.webhook_id = ${id} and d.event_id = old.event_id`.execute(trx)
  const count = Number(result.numAffectedRows ?? 0n)
  if (count > 0)
    await trx
      .updateTable('webhook')
      .set({ dropped: sql`dropped + ${count}` })
      .where('id', '=', id)
      .execute()
}

const waitingFor = (trx: Trx, id: string, says: string) =>
  trx
    .updateTable('webhook_delivery')
    .set({ state: 'dropped', body: '', next_at: null, says })
    .where('webhook_id', '=', id)
    .where('state', '=', 'waiting')

/** Drops everything that waits for a webhook. */
export async function dropWaiting(trx: Trx, id: string): Promise<void> {
  await waitingFor(trx, id, switchedOff).execute()
}

/** Drops what waits and is about none of these spaces: an address that was changed must not get what it is not told of. */
export async function dropUnwanted(trx: Trx, id: string, spaceIds: readonly string[]): Promise<void> {
  await waitingFor(trx, id, noLongerTold)
    .where(sql<boolean>`space_id is null or space_id <> all(${[...spaceIds]}::text[])`)
    .execute()
}

/** Switches a webhook off, with the reason that people see. */
export async function switchOff(trx: Trx, id: string, why: string): Promise<void> {
  await trx.updateTable('webhook').set({ enabled: false, off_reason: why }).where('id', '=', id).execute()
  await dropWaiting(trx, id)
}

const switchedOff = 'The webhook was switched off before it could be sent.'
const noLongerTold = 'The webhook was limited to other spaces before it could be sent.'
