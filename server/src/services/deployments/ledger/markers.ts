import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import type { Marker } from '@quayside/contract/metrics/endpoints'
import type { Db } from '../../../platform/db/db.ts'
import type { Tables } from '../tables.ts'

export type AppMarker = Omit<Marker, 'app'> & { appId: string | null }

export interface MarkerRange {
  of: { appId: string } | { spaceId: string }
  from: Date
  to: Date
}

const changing: readonly ActionKind[] = ['Deploy', 'Upgrade', 'Rollback', 'ChangeWorkload', 'Repair', 'Delete']
const mostMarkers = 200

/** Actions that changed, or tried to change, what runs of an app or in a space; the newest ones, oldest first. */
export function findMarkers(db: Db, tenantId: string, { of, from, to }: MarkerRange): Promise<AppMarker[]> {
  return db.tenant<Tables, AppMarker[]>(tenantId, async (trx) => {
    const rows = await trx
      .selectFrom('action')
      .select(['id', 'app_id', 'kind', 'state', 'accepted_at', 'final_at', 'version', 'started_by'])
      .where((row) => ('appId' in of ? row('app_id', '=', of.appId) : row('space_id', '=', of.spaceId)))
      .where('kind', 'in', changing)
      .where('accepted_at', '>=', from)
      .where('accepted_at', '<=', to)
      .orderBy('accepted_at', 'desc')
      .limit(mostMarkers)
      .execute()
    return rows.reverse().map((row) => ({
      actionId: row.id,
      kind: row.kind,
      outcome: row.final_at === null ? 'running' : row.state === 'Success' ? 'succeeded' : 'failed',
      at: row.accepted_at.toISOString(),
      version: row.version,
      startedBy: row.started_by,
      appId: row.app_id,
    }))
  })
}
