import type { KubeconfigEnd, KubeconfigRole } from '@quayside/contract/clusters/kubeconfigs'
import type { ListQuery } from '@quayside/contract/http/paging'
import { type Generated, type Selectable, sql, type UpdateObject } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../../platform/db/db.ts'
import { tablesIn, type UnitOfWork } from '../../../platform/db/unit-of-work.ts'

interface KubeconfigTable {
  id: string
  tenant_id: string
  user_id: string
  username: string
  space_id: string
  space_name: string
  cluster_id: string
  cluster_name: string
  namespace: string
  role: KubeconfigRole
  /** Set when its token was handed out. */
  ready_at: Date | null
  issued_at: Generated<Date>
  expires_at: Date
  ended_at: Date | null
  ended_because: z.infer<typeof KubeconfigEnd> | null
  ended_by: string | null
  /** When nothing of it was left on its cluster. */
  removed_at: Date | null
}
export type KubeconfigRow = Selectable<KubeconfigTable>
interface Tables {
  handed_out_kubeconfig: KubeconfigTable
}

export type NewKubeconfig = Pick<
  KubeconfigRow,
  | 'id'
  | 'tenant_id'
  | 'user_id'
  | 'username'
  | 'space_id'
  | 'space_name'
  | 'cluster_id'
  | 'cluster_name'
  | 'namespace'
  | 'role'
>
interface Ending {
  because: z.infer<typeof KubeconfigEnd>
  by?: string
}

const shownDays = 7
const keptDays = 30

/** Records of handed-out kubeconfigs, written before anything is made on a cluster. */
export function createKubeconfigStore(db: Db) {
  return {
    ...createBeginnings(db),

    ...createEndings(db),

    ...createReads(db),
  }
}

/** Records as they are made and come into use. */
function createBeginnings(db: Db) {
  const change = (
    tenantId: string,
    id: string,
    values: UpdateObject<Tables, 'handed_out_kubeconfig'>,
    isOpen = false,
  ) =>
    db.tenantOne<Tables, { id: string } | undefined>(tenantId, (trx) => {
      const all = trx.updateTable('handed_out_kubeconfig').set(values).where('id', '=', id)
      return (isOpen ? all.where('ended_at', 'is', null) : all).returning('id').executeTakeFirst()
    })
  const now = sql<Date>`clock_timestamp()`

  return {
    /** Ends the oldest of a person that are too many for their place with these; how many these were. */
    insert(
      tenantId: string,
      rows: readonly NewKubeconfig[],
      { seconds, most }: { seconds: number; most: number },
    ): Promise<number> {
      const expires_at = sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
      return db.tenant<Tables, number>(tenantId, async (trx) => {
        // Many made at once would each see the others too late.
        const people = new Set(rows.map(({ user_id }) => user_id))
        for (const person of [...people].sort())
          await sql`select pg_advisory_xact_lock(hashtextextended(${`kubeconfigs ${tenantId} ${person}`}, 0))`.execute(
            trx,
          )
        await trx
          .insertInto('handed_out_kubeconfig')
          .values(rows.map((row) => ({ ...row, expires_at })))
          .execute()
        const surplus = await sql<{ id: string }>`update handed_out_kubeconfig
          set ended_at = clock_timestamp(), ended_because = 'too-many'
          where id in (select id from (
            select id, row_number() over (
                partition by user_id, space_id, cluster_id order by issued_at desc, id desc) as place
              from handed_out_kubeconfig where ended_at is null and user_id = any(${[...people]}::text[])) counted
            where place > ${most})
          returning id`.execute(trx)
        return surplus.rows.length
      })
    },
    /** False when it was ended meanwhile. */
    setReady: async (tenantId: string, id: string): Promise<boolean> =>
      (await change(tenantId, id, { ready_at: now }, true)) !== undefined,
    setRole: (tenantId: string, id: string, role: KubeconfigRole) => change(tenantId, id, { role }),
    setRemoved: (tenantId: string, id: string) => change(tenantId, id, { removed_at: now }),
  }
}

/** Ends of kubeconfigs, and records that are no longer kept. */
function createEndings(db: Db) {
  return {
    /** Ends those that are chosen and count; how many these were. */
    async end(
      tenantId: string,
      chosen: { ids?: readonly string[]; spaceId?: string; clusterId?: string; userId?: string },
      { because, by }: Ending,
    ): Promise<number> {
      const rows = await db.tenantOne<Tables, { id: string }[]>(tenantId, (trx) => {
        let ending = trx
          .updateTable('handed_out_kubeconfig')
          .set({ ended_at: sql<Date>`clock_timestamp()`, ended_because: because, ended_by: by ?? null })
          .where('ended_at', 'is', null)
        if (chosen.ids) ending = ending.where('id', '=', sql<string>`any(${[...chosen.ids]}::text[])`)
        if (chosen.spaceId !== undefined) ending = ending.where('space_id', '=', chosen.spaceId)
        if (chosen.clusterId !== undefined) ending = ending.where('cluster_id', '=', chosen.clusterId)
        if (chosen.userId !== undefined) ending = ending.where('user_id', '=', chosen.userId)
        return ending.returning('id').execute()
      })
      return rows.length
    },
    async forgetOld(): Promise<void> {
      await db.platformOne<Tables, unknown>((trx) =>
        trx
          .deleteFrom('handed_out_kubeconfig')
          .where('removed_at', 'is not', null)
          .where(sql<boolean>`ended_at < clock_timestamp() - make_interval(days => ${keptDays})`)
          .execute(),
      )
    },
  }
}

/** Kubeconfigs in force, in lists, and one by one. */
function createReads(db: Db) {
  return {
    /** Kubeconfigs of every tenant that are in force, or that still have objects on their cluster. */
    open(): Promise<(KubeconfigRow & { is_late: boolean; is_expired: boolean })[]> {
      return db.platformOne<Tables, (KubeconfigRow & { is_late: boolean; is_expired: boolean })[]>((trx) =>
        trx
          .selectFrom('handed_out_kubeconfig')
          .selectAll()
          .select([
            sql<boolean>`ready_at is null and issued_at < clock_timestamp() - interval '2 minutes'`.as('is_late'),
            sql<boolean>`expires_at < clock_timestamp()`.as('is_expired'),
          ])
          .where('removed_at', 'is', null)
          .orderBy('issued_at')
          .execute(),
      )
    },
    /** A page: those that count first, then those of which something is left on their cluster, then those that are over. */
    list(
      tenantId: string,
      of: { userId?: string; spaceId?: string; clusterId?: string },
      page: ListQuery['page'],
    ): Promise<{ rows: KubeconfigRow[]; total: number }> {
      return db.tenant<Tables, { rows: KubeconfigRow[]; total: number }>(tenantId, async (trx) => {
        let found = trx
          .selectFrom('handed_out_kubeconfig')
          .where(
            sql<boolean>`(removed_at is null or ended_at > clock_timestamp() - make_interval(days => ${shownDays}))`,
          )
        if (of.userId !== undefined) found = found.where('user_id', '=', of.userId)
        if (of.spaceId !== undefined) found = found.where('space_id', '=', of.spaceId)
        if (of.clusterId !== undefined) found = found.where('cluster_id', '=', of.clusterId)
        const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
        const rows = await found
          .selectAll()
          .orderBy(sql`ended_at is null`, 'desc')
          .orderBy(sql`removed_at is null`, 'desc')
          .orderBy('issued_at', 'desc')
          .orderBy('id')
          .limit(page.limit)
          .offset(page.skip)
          .execute()
        return { rows, total }
      })
    },
    /** Kubeconfigs of a space on a cluster that are in force, or that still have objects there. */
    ofPlace({ tenantId, clusterId, spaceId }: { tenantId: string; clusterId: string; spaceId: string }) {
      return db.tenantOne<Tables, KubeconfigRow[]>(tenantId, (trx) =>
        trx
          .selectFrom('handed_out_kubeconfig')
          .selectAll()
          .where('cluster_id', '=', clusterId)
          .where('space_id', '=', spaceId)
          .where('removed_at', 'is', null)
          .execute(),
      )
    },
    find(tenantId: string, id: string): Promise<KubeconfigRow | undefined> {
      return db.tenantOne<Tables, KubeconfigRow | undefined>(tenantId, (trx) =>
        trx.selectFrom('handed_out_kubeconfig').selectAll().where('id', '=', id).executeTakeFirst(),
      )
    },
  }
}

export type KubeconfigStore = ReturnType<typeof createKubeconfigStore>

/**
 * In the transaction that takes a space or a cluster off the tenant, or a space off a cluster. Of a cluster that is taken
 * off nothing is left to remove then.
 */
export async function endKubeconfigs(
  within: UnitOfWork,
  { spaceId, clusterId }: { spaceId: string; clusterId?: string } | { spaceId?: undefined; clusterId: string },
): Promise<void> {
  const trx = tablesIn<Tables>(within)
  let ended = trx
    .updateTable('handed_out_kubeconfig')
    .set({
      ended_at: sql<Date>`clock_timestamp()`,
      ended_because: clusterId === undefined ? 'space-deleted' : 'cluster-removed',
    })
    .where('ended_at', 'is', null)
  if (spaceId !== undefined) ended = ended.where('space_id', '=', spaceId)
  if (clusterId !== undefined) ended = ended.where('cluster_id', '=', clusterId)
  await ended.execute()
  if (spaceId !== undefined || clusterId === undefined) return
  await trx
    .updateTable('handed_out_kubeconfig')
    .set({ removed_at: sql<Date>`clock_timestamp()` })
    .where('cluster_id', '=', clusterId)
    .where('removed_at', 'is', null)
    .execute()
}
