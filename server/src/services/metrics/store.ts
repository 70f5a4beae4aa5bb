import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import type { Tables } from './tables.ts'

interface ClusterRef {
  id: string
  tenantId: string
}
interface CollectionRow {
  cluster_id: string
  collected_at: Date | null
  problem: string | null
}

/** Collections of clusters: when each is due, and how the last one went. */
export function createCollectionStore(db: Db) {
  return {
    /**
     * Takes the clusters that are due, for this long: no other replica gets one of them meanwhile. One that ends by
     * itself has taken nothing for longer.
     */
    claim(clusters: readonly ClusterRef[], everySeconds: number): Promise<Set<string>> {
      const ids = clusters.map(({ id }) => id)
      const tenants = clusters.map(({ tenantId }) => tenantId)
      return db.platformOne<Tables, Set<string>>(async (trx) => {
        const { rows } = await sql<{
          cluster_id: string
        }>`insert into metrics_collections as known (cluster_id, tenant_id, due_at)
          select id, tenant, clock_timestamp() + make_interval(secs => ${everySeconds}::int)
          from unnest(${ids}::text[], ${tenants}::text[]) as given (id, tenant)
          on conflict (cluster_id) do update set due_at = excluded.due_at where known.due_at <= clock_timestamp()
          returning cluster_id`.execute(trx)
        return new Set(rows.map(({ cluster_id }) => cluster_id))
      })
    },

    /** @param problem why some of the figures are missing */
    collected({ id, tenantId }: ClusterRef, at: Date, problem: string | null): Promise<unknown> {
      return db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx
          .updateTable('metrics_collections')
          .set({ collected_at: at, problem })
          .where('cluster_id', '=', id)
          .execute(),
      )
    },

    failed({ id, tenantId }: ClusterRef, problem: string): Promise<unknown> {
      return db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx.updateTable('metrics_collections').set({ problem }).where('cluster_id', '=', id).execute(),
      )
    },

    of(tenantId: string, clusterIds: readonly string[]): Promise<CollectionRow[]> {
      return db.tenantOne<Tables, CollectionRow[]>(tenantId, (trx) =>
        trx
          .selectFrom('metrics_collections')
          .select(['cluster_id', 'collected_at', 'problem'])
          .where('cluster_id', '=', sql<string>`any(${[...clusterIds]}::text[])`)
          .execute(),
      )
    },
  }
}
export type CollectionStore = ReturnType<typeof createCollectionStore>
