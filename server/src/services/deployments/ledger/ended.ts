import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import type { ActionRow, Tables } from '../tables.ts'

/** An action that failed by itself, or a deployment that succeeded. */
export interface EndedAction {
  id: string
  kind: ActionKind
  hasFailed: boolean
  app: { id: string; name: string } | null
  /** The app, or what else it was about. */
  name: string
  space: { id: string; name: string } | null
  at: Date
  says: string | null
}

type Row = Pick<
  ActionRow,
  'id' | 'kind' | 'state' | 'app_id' | 'app_name' | 'space_id' | 'space_name' | 'final_at' | 'result'
>

const atOnce = 1000
const deployments: readonly ActionKind[] = ['Deploy', 'Upgrade', 'Rollback', 'Delete']

/** Those that have ended since then, in order, some at a time. */
export async function* findEnded(db: Db, tenantId: string, since: Date): AsyncIterable<EndedAction[]> {
  let last: { at: string; id: string } = { at: since.toISOString(), id: '' }
  for (;;) {
    const after = sql<boolean>`(final_at, id) > (${last.at}::timestamptz, ${last.id})`
    const rows = await db.tenantOne<Tables, (Row & { exactly: string })[]>(tenantId, (trx) =>
      trx
        .selectFrom('action')
        .select(['id', 'kind', 'state', 'app_id', 'app_name', 'space_id', 'space_name', 'final_at', 'result'])
        // A time of JavaScript has no microseconds.
        .select(sql<string>`final_at::text`.as('exactly'))
        .where('tenant_id', '=', tenantId)
        .where(after)
        .where('kind', '<>', 'Prepare')
        // An action that somebody ended is no news to them; one that was too late to end has succeeded all the same.
        .where(
          sql<boolean>`(state = 'Failed' and cancelled_by is null and aborted_by is null
            or state = 'Success' and kind in (${sql.join(deployments)}))`,
        )
        .orderBy('final_at')
        .orderBy('id')
        .limit(atOnce)
        .execute(),
    )
    yield rows.map(toEnded)
    const end = rows.at(-1)
    if (!end || rows.length < atOnce) return
    last = { at: end.exactly, id: end.id }
  }
}

function toEnded(row: Row): EndedAction {
  return {
    ...{ id: row.id, kind: row.kind, hasFailed: row.state === 'Failed', name: row.app_name },
    app: row.app_id === null ? null : { id: row.app_id, name: row.app_name },
    space: row.space_id === null ? null : { id: row.space_id, name: row.space_name ?? '' },
    ...{ at: row.final_at ?? new Date(0), says: row.result?.summary ?? null },
  }
}
