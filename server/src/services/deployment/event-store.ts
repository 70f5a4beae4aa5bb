import { sql, type Transaction } from 'kysely'
import type { Db } from '../../kernel/db.ts'
import type { ActionRow, EventName, EventRow, Tables } from './tables.ts'

export interface NewEvent {
  event: EventName
  payload: Record<string, unknown>
}

/** Where replicas hear that an action has news: `tenant|action|release`, ids only. */
export const noteChannel = 'quayside_action'

/**
 * Appends events, numbered without gaps: the action's row is the counter and the lock. Returns false, and writes
 * nothing, when the fence is not the newest any more or the action has ended.
 */
export async function appendEvents(
  db: Db,
  trx: Transaction<Tables>,
  action: Pick<ActionRow, 'id' | 'tenant_id' | 'fence' | 'release_name'>,
  events: readonly NewEvent[],
): Promise<boolean> {
  if (events.length === 0) return true
  const counted = await trx
    .updateTable('action')
    .set({ last_seq: sql<number>`last_seq + ${events.length}` })
    .where('id', '=', action.id)
    .where('fence', '=', action.fence)
    .where('final_at', 'is', null)
    .returning('last_seq')
    .executeTakeFirst()
  if (!counted) return false
  const first = counted.last_seq - events.length + 1
  await trx
    .insertInto('action_event')
    .values(
      events.map((each, index) => ({
        tenant_id: action.tenant_id,
        action_id: action.id,
        seq: first + index,
        event: each.event,
        payload: JSON.stringify(each.payload),
      })),
    )
    .execute()
  await note(db, trx, action)
  return true
}

/** Tells every replica to look at an action again. */
export async function note(
  db: Db,
  trx: Transaction<Tables>,
  action: Pick<ActionRow, 'id' | 'tenant_id' | 'release_name'>,
): Promise<void> {
  await db.notify(trx, noteChannel, [action.tenant_id, action.id, action.release_name ?? ''].join('|'))
}

export function eventsAfter(db: Db, tenantId: string, actionId: string, after: number): Promise<EventRow[]> {
  return db.tenant<Tables, EventRow[]>(tenantId, (trx) =>
    trx
      .selectFrom('action_event')
      .selectAll()
      .where('action_id', '=', actionId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(5000)
      .execute(),
  )
}
