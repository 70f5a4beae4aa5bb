import { noReach } from '@quayside/contract/clusters/network-reach'
import { sql } from 'kysely'
import type { SpaceCondition } from '../../../../platform/auth/rights.ts'
import type { Db } from '../../../../platform/db/db.ts'
import { tablesIn, type UnitOfWork } from '../../../../platform/db/unit-of-work.ts'
import type { IsolationRow, OutsideTables } from '../tables.ts'

type Tables = OutsideTables

/** Settings of a space on a cluster, as they are where nobody has changed them. */
export const defaultIsolation = { pod_security: 'baseline', network: 'standard', reaches: noReach } as const

const firstRow = { ...defaultIsolation, reaches: JSON.stringify(noReach), applied: null, message: null }

export interface SpaceOnClusterRow extends IsolationRow {
  space_name: string
  space_display_name: string
  elevated_by: { id: string; displayName: string }[]
  shows_apps: boolean
}

interface Which {
  spaceId?: string
  within?: SpaceCondition | undefined
  /** Spaces whose apps may be named; left out, all of them. */
  showsApps?: SpaceCondition | undefined
}

/**
 * Settings that isolate spaces on each cluster. A space that an earlier version took off a cluster, and which has left its
 * namespace there, is isolated like any other.
 */
export function createIsolationStore(db: Db) {
  const all = (tenantId: string, clusterId: string, { spaceId, within, showsApps }: Which = {}) =>
    db.tenantOne<Tables, SpaceOnClusterRow[]>(tenantId, async (trx) => {
      const { rows } = await sql<SpaceOnClusterRow>`select ${tenantId} as tenant_id, ${clusterId} as cluster_id,
          s.id as space_id, s.name as space_name, s.display_name as space_display_name,
          coalesce(i.pod_security, ${defaultIsolation.pod_security}) as pod_security,
          coalesce(i.network, ${defaultIsolation.network}) as network,
          coalesce(i.reaches, ${JSON.stringify(defaultIsolation.reaches)}::jsonb) as reaches, i.applied, i.message,
          coalesce((select json_agg(json_build_object('id', e.id, 'displayName', e.name) order by e.name) from (
            select distinct coalesce(a.id, '') as id, coalesce(a.display_name, h.kind || ' ' || h.name) as name
              from held_outside h left join apps a on a.id = h.app_id
              where h.space_id = s.id and h.cluster_id = ${clusterId} and h.elevates
                and (a.id is not null or h.release_name = '')) e), '[]'::json) as elevated_by,
          ${showsApps ? showsApps('s.id') : sql`true`} as shows_apps
        from spaces s left join space_isolation i on i.space_id = s.id and i.cluster_id = ${clusterId}
        where (s.id in (select space_id from space_clusters where cluster_id = ${clusterId})
            or s.id in (select space_id from apps where cluster_id = ${clusterId})
            or i.applied is not null)
          and (${spaceId ?? null}::text is null or s.id = ${spaceId ?? null})
          and ${within ? within('s.id') : sql`true`}
        order by s.display_name, s.id`.execute(trx)
      return rows
    })
  return {
    all,
    one: async (tenantId: string, clusterId: string, spaceId: string) =>
      (await all(tenantId, clusterId, { spaceId }))[0],
    /** Tells whether the portal has made the namespace of a space on a cluster. */
    knows: (tenantId: string, clusterId: string, spaceId: string) =>
      db.tenantOne<Tables, boolean>(tenantId, async (trx) => {
        const row = await trx
          .selectFrom('space_isolation')
          .select('space_id')
          .where('cluster_id', '=', clusterId)
          .where('space_id', '=', spaceId)
          .executeTakeFirst()
        return row !== undefined
      }),
    async change(
      row: Pick<IsolationRow, 'tenant_id' | 'cluster_id' | 'space_id'>,
      change: Partial<Pick<IsolationRow, 'pod_security' | 'network' | 'reaches' | 'applied' | 'message'>>,
    ): Promise<void> {
      const { reaches, ...rest } = change
      const changed = { ...rest, ...(reaches ? { reaches: JSON.stringify(reaches) } : {}) }
      await db.tenantOne<Tables, unknown>(row.tenant_id, (trx) =>
        trx
          .insertInto('space_isolation')
          .values({ ...firstRow, ...row, ...changed })
          .onConflict((conflict) => conflict.columns(['cluster_id', 'space_id']).doUpdateSet(changed))
          .execute(),
      )
    },
  }
}

/**
 * In the transaction in which a space leaves a cluster: what it has there is not brought to its settings any more. The
 * settings stay, so that a space that comes back is no freer than it was.
 */
export async function endIsolation(within: UnitOfWork, place: { clusterId: string; spaceId: string }): Promise<void> {
  await tablesIn<Tables>(within)
    .updateTable('space_isolation')
    .set({ applied: null, message: null })
    .where('cluster_id', '=', place.clusterId)
    .where('space_id', '=', place.spaceId)
    .execute()
}

export type IsolationStore = ReturnType<typeof createIsolationStore>
