import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'

/** Actions of one kind that are in one state. */
export interface OpenActions {
  kind: string
  state: string
  count: number
}

export async function countUnended(db: Db): Promise<OpenActions[]> {
  const rows = await db.platformOne<Tables, (Omit<OpenActions, 'count'> & { count: string })[]>((trx) =>
    trx
      .selectFrom('action')
      .select((count) => ['kind', 'state', count.fn.countAll<string>().as('count')])
      .where('final_at', 'is', null)
      .groupBy(['kind', 'state'])
      .execute(),
  )
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}
