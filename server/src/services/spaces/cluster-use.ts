import { sql, type Transaction } from 'kysely'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { tablesIn, type UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { fail } from '../../platform/http/errors.ts'
import { namespaceOf } from './names.ts'
import type { Tables } from './tables.ts'

export interface SpaceOnCluster {
  spaceId: string
  clusterId: string
}

/** Spaces and the clusters that they use. */
export function createClusterUse(db: Db) {
  return {
    /** Clusters of the spaces that the condition holds for. */
    clusterIdsIn(tenantId: string, within: SpaceCondition): Promise<Set<string>> {
      return db.tenantOne<Tables, Set<string>>(tenantId, async (trx) => {
        const found = trx.selectFrom('space_clusters').select('cluster_id').distinct().where(within('space_id'))
        return new Set((await found.execute()).map(({ cluster_id }) => cluster_id))
      })
    },
    /** Spaces that use any of these clusters or have apps there, by their ids. */
    usersOf(tenantId: string, clusterIds: readonly string[]): Promise<Map<string, { namespace: string }>> {
      return db.tenantOne<Tables, Map<string, { namespace: string }>>(tenantId, async (trx) => {
        const rows = await trx
          .selectFrom('spaces')
          .select(['id', 'name'])
          .where('id', 'in', (used) =>
            used
              .selectFrom('space_clusters')
              .select('space_id')
              .where('cluster_id', '=', sql<string>`any(${[...clusterIds]}::text[])`)
              .union(
                used
                  .selectFrom('apps')
                  .select('space_id')
                  .where('cluster_id', '=', sql<string>`any(${[...clusterIds]}::text[])`),
              ),
          )
          .execute()
        return new Map(rows.map(({ id, name }) => [id, { namespace: namespaceOf(name, id) }]))
      })
    },
    /** In how many spaces each cluster is used. */
    countsByCluster(tenantId: string, within?: SpaceCondition): Promise<Map<string, number>> {
      return db.tenantOne<Tables, Map<string, number>>(tenantId, async (trx) => {
        const all = trx.selectFrom('space_clusters').select(['cluster_id', sql<number>`count(*)::int`.as('count')])
        const rows = await (within ? all.where(within('space_id')) : all).groupBy('cluster_id').execute()
        return new Map(rows.map((row) => [row.cluster_id, row.count]))
      })
    },
    /** No space uses the cluster from then on. */
    async leaveCluster(work: UnitOfWork, clusterId: string): Promise<void> {
      await tablesIn<Tables>(work).deleteFrom('space_clusters').where('cluster_id', '=', clusterId).execute()
    },
    /** Takes a space off a cluster on which it has no apps. */
    async leave(work: UnitOfWork, { spaceId, clusterId }: SpaceOnCluster): Promise<void> {
      const trx = tablesIn<Tables>(work)
      await lockSpace(trx, spaceId)
      await mustHoldNoApps(trx, spaceId, [clusterId])
      await trx
        .deleteFrom('space_clusters')
        .where('space_id', '=', spaceId)
        .where('cluster_id', '=', clusterId)
        .execute()
    },
    /** Throws if a space uses a cluster by now, in the transaction that begins to remove what it had there. */
    async mustHaveLeft(work: UnitOfWork, place: SpaceOnCluster): Promise<void> {
      const trx = tablesIn<Tables>(work)
      await lockSpace(trx, place.spaceId)
      if (await usesCluster(trx, place)) throw fail('space.cluster-in-use')
      await mustHoldNoApps(trx, place.spaceId, [place.clusterId])
    },
    /** Throws if a space does not use a cluster any more; it cannot leave it before the transaction has ended. */
    async mustUse(work: UnitOfWork, place: SpaceOnCluster): Promise<void> {
      const trx = tablesIn<Tables>(work)
      await trx.selectFrom('spaces').select('id').where('id', '=', place.spaceId).forKeyShare().execute()
      if (!(await usesCluster(trx, place))) throw fail('cluster.not-in-space', { field: 'clusterId' })
    },
  }
}

/**
 * Gives a space the wanted clusters, in this order, after which stand those that it is to leave.
 * @param leaving clusters from which what the space has there is just being removed
 * @returns ids of the clusters to leave, on which it has no apps
 */
export async function changeClusters(
  trx: Transaction<Tables>,
  { tenantId, spaceId, wanted }: { tenantId: string; spaceId: string; wanted: readonly string[] },
  leaving: ReadonlySet<string>,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('space_clusters')
    .select('cluster_id')
    .where('space_id', '=', spaceId)
    .orderBy('position')
    .execute()
  const left = rows.map(({ cluster_id }) => cluster_id).filter((one) => !wanted.includes(one))
  await mustHoldNoApps(trx, spaceId, left)
  const clusterId = wanted.find((one) => leaving.has(one))
  if (clusterId !== undefined) throw fail('space.still-leaving', { field: 'clusterIds', details: { clusterId } })
  await trx.deleteFrom('space_clusters').where('space_id', '=', spaceId).execute()
  await attach(trx, tenantId, spaceId, [...wanted, ...left])
  return left
}

export async function lockSpace(trx: Transaction<Tables>, id: string): Promise<void> {
  const space = await trx.selectFrom('spaces').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!space) throw fail('space.not-found')
}

async function mustHoldNoApps(trx: Transaction<Tables>, spaceId: string, clusterIds: readonly string[]): Promise<void> {
  const app = await trx
    .selectFrom('apps')
    .select('cluster_id')
    .where('space_id', '=', spaceId)
    .where('cluster_id', '=', sql<string>`any(${[...clusterIds]}::text[])`)
    .limit(1)
    .executeTakeFirst()
  if (app) throw fail('space.cluster-in-use', { field: 'clusterIds', details: { clusterId: app.cluster_id } })
}

async function usesCluster(trx: Transaction<Tables>, { spaceId, clusterId }: SpaceOnCluster): Promise<boolean> {
  const found = await trx
    .selectFrom('space_clusters')
    .select('space_id')
    .where('space_id', '=', spaceId)
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return found !== undefined
}

export async function attach(
  trx: Transaction<Tables>,
  tenantId: string,
  spaceId: string,
  clusterIds: readonly string[],
): Promise<void> {
  const rows = [...new Set(clusterIds)].map((clusterId, position) => ({
    tenant_id: tenantId,
    space_id: spaceId,
    cluster_id: clusterId,
    position,
  }))
  if (rows.length > 0) await trx.insertInto('space_clusters').values(rows).execute()
}
