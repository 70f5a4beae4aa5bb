import type { ListQuery, ListReply } from '@quayside/contract/paging'
import type { Space, SpaceInput } from '@quayside/contract/portal-api'
import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '../../kernel/db.ts'
import { fail } from '../../kernel/errors.ts'
import { shortId } from '../../kernel/ids.ts'
import { likePattern, listReply, orderOf } from '../../kernel/listing.ts'
import { namespaceOf, slugOf } from './names.ts'
import type { Tables } from './tables.ts'

/** What other services know of a space. */
export interface SpaceRecord {
  id: string
  name: string
  displayName: string
  identifier: string
  namespace: string
  clusterIds: string[]
}

export interface ClusterName {
  id: string
  name: string
  displayName: string
  provider: string
}

export interface SpacePorts {
  clusterNames(tenantId: string): Promise<Map<string, ClusterName>>
}

interface Row {
  id: string
  name: string
  display_name: string
  description: string
  created_at: Date
  apps: Space['apps']
  cluster_ids: string[]
}

const sortable = { createdAt: 'created_at', name: 'name', displayName: 'display_name' } as const

export function createSpaces(db: Db, ports: SpacePorts) {
  async function present(tenantId: string, rows: Row[], scopes: string[]): Promise<Space[]> {
    const names = await ports.clusterNames(tenantId)
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      displayName: row.display_name,
      identifier: row.name,
      description: row.description,
      namespace: namespaceOf(row.name, row.id),
      apps: row.apps,
      clusters: row.cluster_ids.flatMap((id) => names.get(id) ?? []),
      scopes,
      createdAt: row.created_at.toISOString(),
    }))
  }

  async function clustersMustExist(tenantId: string, ids: string[]): Promise<void> {
    const names = await ports.clusterNames(tenantId)
    const unknown = ids.find((id) => !names.has(id))
    if (unknown !== undefined) throw fail('cluster.not-found', { field: 'clusterIds', details: { clusterId: unknown } })
  }

  return {
    async list(tenantId: string, query: ListQuery, scopes: string[], path: string): Promise<ListReply<Space>> {
      const { rows, total } = await db.tenant<Tables, { rows: Row[]; total: number }>(tenantId, async (trx) => {
        let found = trx.selectFrom('spaces').$castTo<Row>() as unknown as SelectQueryBuilder<Tables, 'spaces', Row>
        if (query.search) {
          const pattern = likePattern(query.search)
          found = found.where((where) =>
            where.or([
              where('display_name', 'ilike', pattern),
              where('name', 'ilike', pattern),
              where('id', 'ilike', pattern),
            ]),
          )
        }
        const { total } = (await found
          .clearSelect()
          .select(sql<number>`count(*)::int`.as('total'))
          .executeTakeFirstOrThrow()) as unknown as { total: number }
        let page = selectSpace(found)
        for (const [column, direction] of orderOf(query.sort, sortable, [['created_at', 'asc']]))
          page = page.orderBy(column, direction)
        const rows = await page.orderBy('id').limit(query.page.limit).offset(query.page.skip).execute()
        return { rows: rows as Row[], total }
      })
      return listReply(await present(tenantId, rows, scopes), total, query, path)
    },

    async get(tenantId: string, id: string, scopes: string[]): Promise<Space> {
      const row = await db.tenantOne<Tables, Row | undefined>(tenantId, (trx) => findRow(trx, id))
      if (!row) throw fail('space.not-found')
      return (await present(tenantId, [row], scopes))[0] as Space
    },

    async record(tenantId: string, id: string): Promise<SpaceRecord | undefined> {
      const row = await db.tenantOne<Tables, Row | undefined>(tenantId, (trx) => findRow(trx, id))
      return (
        row && {
          id: row.id,
          name: row.name,
          displayName: row.display_name,
          identifier: row.name,
          namespace: namespaceOf(row.name, row.id),
          clusterIds: row.cluster_ids,
        }
      )
    },

    async create(tenantId: string, input: SpaceInput): Promise<string> {
      await clustersMustExist(tenantId, input.clusterIds)
      const id = shortId()
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        const row = {
          id,
          tenant_id: tenantId,
          name: slugOf(input.displayName),
          display_name: input.displayName,
          description: input.description,
        }
        const made = await trx
          .insertInto('spaces')
          .values(row)
          .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!made) throw fail('space.name-taken', { field: 'displayName' })
        await attach(trx, tenantId, id, input.clusterIds)
      })
      return id
    },

    /** The name, and with it the namespace, stays what it was when the space was made. */
    async update(tenantId: string, id: string, input: SpaceInput): Promise<void> {
      await clustersMustExist(tenantId, input.clusterIds)
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        const changed = await trx
          .updateTable('spaces')
          .set({ display_name: input.displayName, description: input.description })
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
        if (!changed) throw fail('space.not-found')
        await trx.deleteFrom('space_clusters').where('space_id', '=', id).execute()
        await attach(trx, tenantId, id, input.clusterIds)
      })
    },

    async remove(tenantId: string, id: string): Promise<void> {
      await db.tenant<Tables, void>(tenantId, async (trx) => {
        const space = await trx.selectFrom('spaces').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
        if (!space) throw fail('space.not-found')
        const app = await trx.selectFrom('apps').select('id').where('space_id', '=', id).limit(1).executeTakeFirst()
        if (app) throw fail('space.not-empty')
        await trx.deleteFrom('spaces').where('id', '=', id).execute()
      })
    },

    /** In how many spaces each cluster is used. */
    countsByCluster(tenantId: string): Promise<Map<string, number>> {
      return db.tenantOne<Tables, Map<string, number>>(tenantId, async (trx) => {
        const rows = await trx
          .selectFrom('space_clusters')
          .select(['cluster_id', sql<number>`count(*)::int`.as('count')])
          .groupBy('cluster_id')
          .execute()
        return new Map(rows.map((row) => [row.cluster_id, row.count]))
      })
    },
  }
}
export type Spaces = ReturnType<typeof createSpaces>

function selectSpace(query: SelectQueryBuilder<Tables, 'spaces', Row>) {
  return query.clearSelect().select([
    'id',
    'name',
    'display_name',
    'description',
    'created_at',
    sql<
      Space['apps']
    >`(select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'displayName', a.display_name) order by a.created_at), '[]')
      from apps a where a.space_id = spaces.id)`.as('apps'),
    sql<
      string[]
    >`(select coalesce(array_agg(c.cluster_id order by c.position), '{}') from space_clusters c where c.space_id = spaces.id)`.as(
      'cluster_ids',
    ),
  ])
}

async function findRow(trx: Transaction<Tables>, id: string): Promise<Row | undefined> {
  const all = trx.selectFrom('spaces') as unknown as SelectQueryBuilder<Tables, 'spaces', Row>
  return (await selectSpace(all.where('id', '=', id)).executeTakeFirst()) as Row | undefined
}

async function attach(
  trx: Transaction<Tables>,
  tenantId: string,
  spaceId: string,
  clusterIds: string[],
): Promise<void> {
  const rows = [...new Set(clusterIds)].map((clusterId, position) => ({
    tenant_id: tenantId,
    space_id: spaceId,
    cluster_id: clusterId,
    position,
  }))
  if (rows.length > 0) await trx.insertInto('space_clusters').values(rows).execute()
}
