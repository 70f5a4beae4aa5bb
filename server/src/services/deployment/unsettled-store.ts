import { sql } from 'kysely'
import type { Db } from '../../kernel/db.ts'
import type { ActionRow, Tables } from './tables.ts'

/** Of one round; the others have their turn in the next. */
const mostAtOnce = 20

/** Actions that ended while their cluster did not answer, so that nobody looked at what they left; oldest first. */
export function unsettled(db: Db): Promise<ActionRow[]> {
  return db.platform<Tables, ActionRow[]>((trx) =>
    trx
      .selectFrom('action')
      .selectAll()
      .where('unreachable_since', 'is not', null)
      .where('final_at', '>', sql<Date>`clock_timestamp() - interval '30 days'`)
      .orderBy('final_at')
      .limit(mostAtOnce)
      .execute(),
  )
}

/** Somebody has looked, or has to look no more. */
export async function settled(db: Db, { id }: Pick<ActionRow, 'id'>): Promise<void> {
  await db.platform<Tables, unknown>((trx) =>
    trx.updateTable('action').set({ unreachable_since: null }).where('id', '=', id).execute(),
  )
}
