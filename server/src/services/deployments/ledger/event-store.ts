import { DeployState } from '@quayside/contract/deployments/endpoints'
import { mostEventsAtOnce } from '@quayside/contract/http/paging'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import { storedJson } from '../../../platform/db/stored-json.ts'
import type { ActionRow, EventName, EventRow, Tables } from '../tables.ts'

export interface NewEvent {
  event: EventName
  payload: Record<string, unknown>
}

/** Where replicas hear that an action has news: `tenant|action|release`, ids only. */
export const noteChannel = 'quayside_action'

/**
 * Appends events, numbered without gaps: the action's row is the counter and the lock. Returns false, and writes
 * nothing, when the fence is not the newest any more or the action has ended. One statement, as every running action
 * does this several times a second.
 *
 * The holder of the fence knows the last line it has written, `last_seq`: after a commit whose answer was lost it can
 * write the same lines again, with more behind them, and they are stored once.
 */
export async function appendEvents(
  trx: Transaction<Tables>,
  action: Pick<ActionRow, 'id' | 'tenant_id' | 'fence' | 'release_name' | 'last_seq'>,
  events: readonly NewEvent[],
): Promise<boolean> {
  if (events.length === 0) return true
  const names = events.map(({ event }) => event)
  const payloads = events.map(({ payload }) => storedJson(payload))
  const [after, last] = [action.last_seq, action.last_seq + events.length]
  const { rows } = await sql`
    with counted as (
      update action set last_seq = ${last}::int
      where id = ${action.id} and fence = ${action.fence} and final_at is null
        and last_seq between ${after}::int and ${last}::int
      returning tenant_id, id
    ), written as (
      insert into action_event (tenant_id, action_id, seq, event, payload)
      select counted.tenant_id, counted.id, ${after}::int + line.number, line.event, line.payload::jsonb
      from counted, unnest(${names}::text[], ${payloads}::text[]) with ordinality as line (event, payload, number)
      on conflict (action_id, seq) do nothing
    )
    select ${noteOf(action)} from counted`.execute(trx)
  return rows.length > 0
}

/** Tells every replica to look at an action again; to be selected or returned by a statement. */
export function noteOf(action: Pick<ActionRow, 'id' | 'tenant_id' | 'release_name'>) {
  const payload = [action.tenant_id, action.id, action.release_name ?? ''].join('|')
  return sql<string>`pg_notify(${noteChannel}, ${payload})`
}

/**
 * Tells whether people were told that Helm's time is over, and so wait for the hook result: whoever takes over has to
 * tell it.
 */
export function timeoutIsLogged(db: Db, { id, tenant_id }: Pick<ActionRow, 'id' | 'tenant_id'>): Promise<boolean> {
  return db.tenantOne<Tables, boolean>(tenant_id, async (trx) => {
    const row = await trx
      .selectFrom('action_event')
      .select('seq')
      .where('action_id', '=', id)
      .where('event', '=', 'helmresult')
      .where(sql<string>`payload ->> 'state'`, '=', String(DeployState.Timeout))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  })
}

export function eventsAfter(db: Db, tenantId: string, actionId: string, after: number): Promise<EventRow[]> {
  return db.tenantOne<Tables, EventRow[]>(tenantId, (trx) =>
    trx
      .selectFrom('action_event')
      .selectAll()
      .where('action_id', '=', actionId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(mostEventsAtOnce)
      .execute(),
  )
}
