import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import { sql, type Transaction } from 'kysely'
import type { Reader } from '../../../platform/auth/reader.ts'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import { seenBy } from '../store.ts'
import type { Tables } from '../tables.ts'

/** An action that has failed by itself: nobody has cancelled or aborted it. */
export interface FailedAction {
  id: string
  kind: ActionKind
  name: string
  space: { id: string; name: string } | null
  at: Date
  reason: string | null
}

/** Somebody who is concerned by their own actions, and by those in spaces where they may act. */
export interface FailureReader extends Reader {
  /** Spaces in which the reader may deploy or manage apps; each undefined: all. */
  actsIn: readonly (SpaceCondition | undefined)[]
}

/** The newest failures that concern somebody. */
export async function findFailures(
  db: Db,
  concerned: FailureReader,
  range: { days: number; limit: number },
): Promise<FailedAction[]> {
  const rows = await db.tenantOne<Tables, Awaited<ReturnType<typeof failuresFor>>>(concerned.tenantId, (trx) =>
    failuresFor(trx, concerned, range),
  )
  return rows.map((row) => ({
    ...{ id: row.id, kind: row.kind, name: row.app_name, at: row.final_at ?? new Date(0) },
    space: row.space_id === null ? null : { id: row.space_id, name: row.space_name ?? '' },
    reason: row.result?.summary ?? null,
  }))
}

function failuresFor(
  trx: Transaction<Tables>,
  { actsIn, ...reader }: FailureReader,
  { days, limit }: { days: number; limit: number },
) {
  const acts = actsIn.map((within) => (within ? within('action.space_id') : sql<boolean>`true`))
  const own = sql<boolean>`started_by_id = ${reader.userId ?? null}`
  return trx
    .selectFrom('action')
    .select(['id', 'kind', 'app_name', 'space_id', 'space_name', 'final_at', 'result'])
    .where('state', '=', 'Failed')
    .where('kind', '<>', 'Prepare')
    .where('cancelled_by', 'is', null)
    .where('aborted_by', 'is', null)
    .where(sql<boolean>`final_at > now() - make_interval(days => ${days}::int)`)
    .where(seenBy(reader))
    .where(sql<boolean>`(${own} or (space_id is not null and (${sql.join(acts, sql` or `)})))`)
    .orderBy('final_at', 'desc')
    .limit(limit)
    .execute()
}
