import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/db.ts'
import { tablesIn, type UnitOfWork } from '../../../../platform/db/unit-of-work.ts'
import type { OutsideTables, WallsRow } from '../tables.ts'

type Tables = OutsideTables

/** Settings of a space on a cluster, as they are where nobody has changed them. */
export const usualWalls = { pod_security: 'baseline', network: 'standard' } as const

export interface SpaceThere extends WallsRow {
  space_name: string
  space_display_name: string
  elevated_by: { id: string; displayName: string }[]
}

/**
 * Settings that isolate spaces on each cluster. A space that an earlier version took off a cluster, and which has left its
 * namespace there, is held apart like any other.
 */
export function createWallsStore(db: Db) {
  const all = (tenantId: string, clusterId: string, spaceId?: string) =>
    db.tenantOne<Tables, SpaceThere[]>(tenantId, async (trx) => {
      const { rows } = await sql<SpaceThere>`select ${tenantId} as tenant_id, ${clusterId} as cluster_id,
          s.id as space_id, s.name as space_name, s.display_name as space_display_name,
          coalesce(w.pod_security, ${usualWalls.pod_security}) as pod_security,
          coalesce(w.network, ${usualWalls.network}) as network, w.applied, w.message,
          coalesce((select json_agg(json_build_object('id', e.id, 'displayName', e.name) order by e.name) from (
            select distinct coalesce(a.id, '') as id, coalesce(a.display_name, h.kind || ' ' || h.name) as name
              from held_outside h left join apps a on a.id = h.app_id
              where h.space_id = s.id and h.cluster_id = ${clusterId} and h.elevates
                and (a.id is not null or h.release_name = '')) e), '[]'::json) as elevated_by
        from spaces s left join space_walls w on w.space_id = s.id and w.cluster_id = ${clusterId}
        where (s.id in (select space_id from space_clusters where cluster_id = ${clusterId})
            or s.id in (select space_id from apps where cluster_id = ${clusterId})
            or w.applied is not null)
          and (${spaceId ?? null}::text is null or s.id = ${spaceId ?? null})
        order by s.display_name, s.id`.execute(trx)
      return rows
    })
  return {
    all,
    one: async (tenantId: string, clusterId: string, spaceId: string) => (await all(tenantId, clusterId, spaceId))[0],
    /** Whether the portal has made the namespace of a space on a cluster. */
    knows: (tenantId: string, clusterId: string, spaceId: string) =>
      db.tenantOne<Tables, boolean>(tenantId, async (trx) => {
        const row = await trx
          .selectFrom('space_walls')
          .select('space_id')
          .where('cluster_id', '=', clusterId)
          .where('space_id', '=', spaceId)
          .executeTakeFirst()
        return row !== undefined
      }),
    async change(
      row: Pick<WallsRow, 'tenant_id' | 'cluster_id' | 'space_id'>,
      change: Partial<Pick<WallsRow, 'pod_security' | 'network' | 'applied' | 'message'>>,
    ): Promise<void> {
      await db.tenantOne<Tables, unknown>(row.tenant_id, (trx) =>
        trx
          .insertInto('space_walls')
          .values({ ...usualWalls, applied: null, message: null, ...row, ...change })
          .onConflict((conflict) => conflict.columns(['cluster_id', 'space_id']).doUpdateSet(change))
          .execute(),
      )
    },
  }
}
/**
 * In the transaction in which a space leaves a cluster: what it has there is not brought to its settings any more. The
 * settings stay, so that a space that comes back is no freer than it was.
 */
export async function leaveWalls(within: UnitOfWork, place: { clusterId: string; spaceId: string }): Promise<void> {
  await tablesIn<Tables>(within)
    .updateTable('space_walls')
    .set({ applied: null, message: null })
    .where('cluster_id', '=', place.clusterId)
    .where('space_id', '=', place.spaceId)
    .execute()
}

export type WallsStore = ReturnType<typeof createWallsStore>
