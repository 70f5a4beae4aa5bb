import type { ListQuery } from '@quayside/contract/http/paging'
import { type Insertable, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { SpaceCondition } from '../../../../platform/auth/rights.ts'
import type { Db } from '../../../../platform/db/db.ts'
import { filterValues, mustKnowFilters, mustNotSort } from '../../../../platform/http/listing.ts'
import type { ApprovalRow, OutsideTables } from '../tables.ts'

type Tables = OutsideTables
type Trx = Transaction<Tables>

export type ShownApproval = ApprovalRow & {
  app_name: string
  space_name: string
  cluster_name: string
  other_apps: string[]
}

const shown = (trx: Trx) =>
  trx
    .selectFrom('cluster_approvals')
    .innerJoin('apps', 'apps.id', 'cluster_approvals.app_id')
    .innerJoin('spaces', 'spaces.id', 'cluster_approvals.space_id')
    .innerJoin('clusters', 'clusters.id', 'cluster_approvals.cluster_id')
    .selectAll('cluster_approvals')
    .select([
      'apps.display_name as app_name',
      'spaces.display_name as space_name',
      'clusters.display_name as cluster_name',
      sql<string[]>`array(select other.display_name from apps other
        where other.space_id = cluster_approvals.space_id and other.cluster_id = cluster_approvals.cluster_id
          and other.id <> cluster_approvals.app_id and other.release_name is not null
        order by other.display_name limit 20)`.as('other_apps'),
    ])
    .$castTo<ShownApproval>()

const columns = { state: 'state', clusterId: 'cluster_id', spaceId: 'space_id', appId: 'app_id' } as const

/** Requests for what lists of clusters do not have, and their answers. */
export function createApprovalStore(db: Db) {
  return {
    ...createApprovalReads(db),

    ...createApprovalChanges(db),
  }
}

/** Requests as pages and deployments ask for them. */
function createApprovalReads(db: Db) {
  return {
    find(tenantId: string, id: string, within?: SpaceCondition): Promise<ShownApproval | undefined> {
      return db.tenantOne<Tables, ShownApproval | undefined>(tenantId, (trx) => {
        const found = shown(trx).where('cluster_approvals.id', '=', id)
        return (
          within ? found.where(within('cluster_approvals.space_id') as RawBuilder<SqlBool>) : found
        ).executeTakeFirst()
      })
    },
    /** Open ones first, then by when they were asked. */
    list(tenantId: string, query: ListQuery, within: SpaceCondition | undefined) {
      mustKnowFilters(query.filters, Object.keys(columns))
      mustNotSort(query.sort)
      return db.tenant<Tables, { rows: ShownApproval[]; total: number }>(tenantId, async (trx) => {
        let found = shown(trx)
        if (within) found = found.where(within('cluster_approvals.space_id') as RawBuilder<SqlBool>)
        for (const [filter, column] of Object.entries(columns)) {
          const values = filterValues(query.filters, filter)
          if (values.length > 0)
            found = found.where(`cluster_approvals.${column}` as 'cluster_approvals.app_id', 'in', values)
        }
        const counted = found.clearSelect().select(sql<number>`count(*)::int`.as('total'))
        const { total } = await counted.$castTo<{ total: number }>().executeTakeFirstOrThrow()
        const rows = await found
          .orderBy(sql`cluster_approvals.state = 'open'`, 'desc')
          .orderBy('cluster_approvals.asked_at', 'desc')
          .orderBy('cluster_approvals.id')
          .limit(query.page.limit)
          .offset(query.page.skip)
          .execute()
        return { rows, total }
      })
    },
    /** The app's approvals, newest first. */
    ofApp(tenantId: string, appId: string): Promise<ApprovalRow[]> {
      return db.tenantOne<Tables, ApprovalRow[]>(
        tenantId,
        (trx) =>
          trx
            .selectFrom('cluster_approvals')
            .selectAll()
            .where('app_id', '=', appId)
            .orderBy('asked_at', 'desc')
            .orderBy('id')
            .limit(100)
            .execute() as Promise<ApprovalRow[]>,
      )
    },
  }
}

/** Requests made, answered and taken back. */
function createApprovalChanges(db: Db) {
  return {
    /** In the place of what was asked for the app before and is not answered. */
    insert(row: Insertable<Tables['cluster_approvals']>, most: number): Promise<'made' | 'too-many'> {
      return db.tenant<Tables, 'made' | 'too-many'>(row.tenant_id, async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtext(${`approvals ${row.space_id}`}))`.execute(trx)
        await trx.deleteFrom('cluster_approvals').where('app_id', '=', row.app_id).where('state', '=', 'open').execute()
        const { count } = await trx
          .selectFrom('cluster_approvals')
          .select(sql<number>`count(*)::int`.as('count'))
          .where('space_id', '=', row.space_id)
          .where('state', '=', 'open')
          .executeTakeFirstOrThrow()
        if (count >= most) return 'too-many'
        await trx.insertInto('cluster_approvals').values(row).execute()
        return 'made'
      })
    },
    /** Tells whether it was in the state `from` until now. */
    async change(
      tenantId: string,
      id: string,
      from: ApprovalRow['state'],
      change: Partial<Pick<ApprovalRow, 'state' | 'answered_by' | 'note' | 'expires_at' | 'asks_for'>>,
    ): Promise<boolean> {
      const changed = await db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx
          .updateTable('cluster_approvals')
          .set({ ...change, answered_at: sql<Date>`clock_timestamp()` })
          .where('id', '=', id)
          .where('state', '=', from)
          .returning('id')
          .executeTakeFirst(),
      )
      return changed !== undefined
    },
    async withdraw(tenantId: string, id: string, askedById: string): Promise<ApprovalRow | undefined> {
      return db.tenantOne<Tables, ApprovalRow | undefined>(
        tenantId,
        (trx) =>
          trx
            .deleteFrom('cluster_approvals')
            .where('id', '=', id)
            .where('asked_by_id', '=', askedById)
            .where('state', '=', 'open')
            .returningAll()
            .executeTakeFirst() as Promise<ApprovalRow | undefined>,
      )
    },
  }
}

export type ApprovalStore = ReturnType<typeof createApprovalStore>
