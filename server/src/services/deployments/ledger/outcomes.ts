import { sql } from 'kysely'
import type { Reader } from '../../../platform/auth/reader.ts'
import type { Db } from '../../../platform/db/db.ts'
import { seenBy } from '../store.ts'
import type { Tables } from '../tables.ts'

export interface OutcomeRange {
  from: Date
  to: Date
  spaceId: string | undefined
  /** Length of one bucket. */
  seconds: number
}
export interface Outcomes {
  at: Date
  succeeded: number
  failed: number
  running: number
}

/** Counts the actions that a reader sees by when they were accepted. Assigning and preparing change nothing that runs. */
export function findOutcomes(
  db: Db,
  reader: Reader,
  { from, to, spaceId, seconds }: OutcomeRange,
): Promise<Outcomes[]> {
  const bucket = sql<Date>`to_timestamp(floor(extract(epoch from accepted_at) / ${seconds}::int) * ${seconds}::int)`
  return db.tenant<Tables, Outcomes[]>(reader.tenantId, (trx) => {
    const seen = trx
      .selectFrom('action')
      .where(seenBy(reader))
      .where('kind', 'not in', ['Assign', 'Prepare'])
      .where('accepted_at', '>=', from)
      .where('accepted_at', '<=', to)
    const found = spaceId === undefined ? seen : seen.where('space_id', '=', spaceId)
    return found
      .select([
        bucket.as('at'),
        sql<number>`count(*) filter (where final_at is null)::int`.as('running'),
        sql<number>`count(*) filter (where final_at is not null and state = 'Success')::int`.as('succeeded'),
        sql<number>`count(*) filter (where final_at is not null and state <> 'Success')::int`.as('failed'),
      ])
      .groupBy(sql`1`)
      .orderBy(sql`1`)
      .execute()
  })
}
