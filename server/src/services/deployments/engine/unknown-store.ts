import { sql } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import type { ActionRow, Tables } from '../tables.ts'
import { LeaseLostError } from './action-context.ts'
import type { Held } from './lease-store.ts'

/** Actions of one round; the others have their turn in the next. */
const mostAtOnce = 20

/** Actions that ended while their cluster did not answer, so that nobody looked at what they left; oldest first. */
export function findUnknown(db: Db): Promise<ActionRow[]> {
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

/** For how long the cluster of an action has been away, by the database's clock: those of replicas may be wrong. */
export async function secondsAway(db: Db, { id, fence }: Held): Promise<number> {
  const away = await db.platform<Tables, { seconds: number } | undefined>((trx) =>
    trx
      .updateTable('action')
      .set({ unreachable_since: sql<Date>`coalesce(unreachable_since, clock_timestamp())` })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('final_at', 'is', null)
      .returning(sql<number>`extract(epoch from clock_timestamp() - unreachable_since)::float8`.as('seconds'))
      .executeTakeFirst(),
  )
  if (!away) throw new LeaseLostError('the lease is lost')
  return away.seconds
}

/** Somebody has looked, or has to look no more. */
export async function forgetUnknown(db: Db, { id }: Pick<ActionRow, 'id'>): Promise<void> {
  await db.platform<Tables, unknown>((trx) =>
    trx.updateTable('action').set({ unreachable_since: null }).where('id', '=', id).execute(),
  )
}
