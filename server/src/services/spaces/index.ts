import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { role } from '@quayside/contract/http/policy'
import type { NewSpace, Space, SpaceInput } from '@quayside/contract/spaces/endpoints'
import { type RawBuilder, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { PlaceRow } from '../../platform/auth/places.ts'
import { holdsAny } from '../../platform/auth/policy.ts'
import type { Rights, SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { shortId } from '../../platform/db/ids.ts'
import { tablesIn, type UnitOfWork, unitOfWork } from '../../platform/db/unit-of-work.ts'
import { fail } from '../../platform/http/errors.ts'
import { likePattern, listReply, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'
import type { Entries } from '../permissions/index.ts'
import { namespaceOf, slugOf } from './names.ts'
import type { Tables } from './tables.ts'

/** The facts about a space that other services use. */
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

interface SpacePorts {
  clusterNames(tenantId: string): Promise<Map<string, ClusterName>>
  rights: Rights
  /** The lists of who may do what in a space: each begins with its space. */
  permissions: Pick<Entries, 'begin' | 'namesOf'>
  /** In the transaction that deletes a space: what others keep of it goes as well. */
  onRemove(work: UnitOfWork, tenantId: string, spaceId: string): Promise<void>
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
type SeenRow = Row & { granted: unknown }

const sortable = { createdAt: 'created_at', name: 'name', displayName: 'display_name' } as const

export function createSpaces(db: Db, ports: SpacePorts) {
  const views = createClusterViews(db, ports)
  const reads = createSpaceReads(db, ports)
  return {
    ...reads,
    ...views,

    ...createSpaceChanges(db, ports, { ...reads, ...views }),

    ...createClusterUse(db),
  }
}

/** Clusters that somebody knows of by the spaces that they see. */
function createClusterViews(db: Db, ports: SpacePorts) {
  const { rights } = ports

  /** Clusters of the spaces that somebody sees. */
  function clusterIdsIn(tenantId: string, within: SpaceCondition): Promise<Set<string>> {
    return db.tenantOne<Tables, Set<string>>(tenantId, async (trx) => {
      const found = trx.selectFrom('space_clusters').select('cluster_id').distinct().where(within('space_id'))
      return new Set((await found.execute()).map(({ cluster_id }) => cluster_id))
    })
  }

  /** Whoever looks at clusters knows all of them, others those of the spaces that they see. */
  const clustersWithin = (actor: Actor): SpaceCondition | undefined =>
    holdsAny(actor, [role('clusters', 'clusters.view')]) ? undefined : rights.condition(actor, 'space.view')

  async function clusterNamesFor(actor: Actor): Promise<Map<string, ClusterName>> {
    const [names, within] = [await ports.clusterNames(actor.tenantId), clustersWithin(actor)]
    const seen = within && (await clusterIdsIn(actor.tenantId, within))
    return seen ? new Map([...names].filter(([id]) => seen.has(id))) : names
  }

  return {
    clusterIdsIn,
    clustersWithin,
    /** Clusters that somebody knows of. */
    clusterNamesFor,
  }
}

/** Spaces as lists and pages show them, and the record that other services ask for. */
function createSpaceReads(db: Db, ports: SpacePorts) {
  const { rights } = ports

  async function present(actor: Actor, rows: SeenRow[]): Promise<Space[]> {
    const names = await ports.clusterNames(actor.tenantId)
    return rows.map((row) => {
      const scopes = rights.scopesFrom(actor, row.granted)
      return {
        id: row.id,
        name: row.name,
        displayName: row.display_name,
        identifier: row.name,
        description: row.description,
        namespace: namespaceOf(row.name, row.id),
        apps: scopes.includes('app.view') ? row.apps : [],
        clusters: row.cluster_ids.flatMap((id) => names.get(id) ?? []),
        scopes,
        createdAt: row.created_at.toISOString(),
      }
    })
  }

  async function record(tenantId: string, id: string): Promise<SpaceRecord | undefined> {
    const row = await db.tenantOne<Tables, Row | undefined>(tenantId, (trx) => findRow<Row>(trx, id))
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
  }

  return {
    record,
    async list(
      actor: Actor,
      query: ListQuery,
      path: string,
      within: SpaceCondition | undefined,
    ): Promise<ListReply<Space>> {
      mustKnowFilters(query.filters, [])
      type Found = { rows: SeenRow[]; total: number }
      const { rows, total } = await db.tenant<Tables, Found>(actor.tenantId, async (trx) => {
        const found = foundIn(trx, query.search, within)
        const { total } = (await found
          .clearSelect()
          .select(sql<number>`count(*)::int`.as('total'))
          .executeTakeFirstOrThrow()) as unknown as { total: number }
        let page = selectSpace(found, rights.granted(actor, 'spaces.id'))
        for (const [column, direction] of orderOf(query.sort, sortable, [['created_at', 'asc']]))
          page = page.orderBy(byLetters(column), direction)
        const rows = await page.orderBy('id').limit(query.page.limit).offset(query.page.skip).execute()
        return { rows: rows as unknown as SeenRow[], total }
      })
      return listReply(await present(actor, rows), total, query, path)
    },
    async get(actor: Actor, id: string): Promise<Space> {
      const row = await db.tenantOne<Tables, SeenRow | undefined>(actor.tenantId, (trx) =>
        findRow<SeenRow>(trx, id, rights.granted(actor, 'spaces.id')),
      )
      if (!row) throw fail('space.not-found')
      return (await present(actor, [row]))[0] as Space
    },
  }
}

type Known = Pick<ReturnType<typeof createSpaceReads>, 'record'> &
  Pick<ReturnType<typeof createClusterViews>, 'clusterIdsIn'>

/** Spaces made, changed and deleted. */
function createSpaceChanges(db: Db, ports: SpacePorts, { record, clusterIdsIn }: Known) {
  const { permissions } = ports

  /** Clusters that the caller may put to use: those that they see, and those that the space has already. */
  async function clustersMustExist(
    tenantId: string,
    ids: string[],
    { within, has = [] }: { within: SpaceCondition | undefined; has?: readonly string[] },
  ): Promise<void> {
    const names = await ports.clusterNames(tenantId)
    const seen = within && (await clusterIdsIn(tenantId, within))
    const isKnown = (id: string) => names.has(id) && (!seen || seen.has(id) || has.includes(id))
    const unknown = ids.find((id) => !isKnown(id))
    if (unknown !== undefined) throw fail('cluster.not-found', { field: 'clusterIds', details: { clusterId: unknown } })
  }

  return {
    /** Its maker owns it from the same moment on. */
    async create(actor: Actor, input: NewSpace, within: SpaceCondition | undefined): Promise<string> {
      const { tenantId } = actor
      const [called] = await Promise.all([
        permissions.namesOf(actor, input.members),
        clustersMustExist(tenantId, input.clusterIds, { within }),
      ])
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
        await permissions.begin(unitOfWork(trx), { actor, spaceId: id }, input.members, called)
      })
      return id
    },
    /** The name, and with it the namespace, stays what it was when the space was made. */
    async update(tenantId: string, id: string, input: SpaceInput, within: SpaceCondition | undefined): Promise<void> {
      const has = within && (await record(tenantId, id))?.clusterIds
      await clustersMustExist(tenantId, input.clusterIds, { within, has })
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
    /** In the transaction in which the deletion is accepted. */
    async remove(within: UnitOfWork, tenantId: string, id: string): Promise<void> {
      const trx = tablesIn<Tables>(within)
      const space = await trx.selectFrom('spaces').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
      if (!space) throw fail('space.not-found')
      const app = await trx.selectFrom('apps').select('id').where('space_id', '=', id).limit(1).executeTakeFirst()
      if (app) throw fail('space.not-empty')
      await trx.deleteFrom('spaces').where('id', '=', id).execute()
      await ports.onRemove(within, tenantId, id)
    },
    /** No space uses the cluster from then on. */
    async leaveCluster(within: UnitOfWork, clusterId: string): Promise<void> {
      const trx = tablesIn<Tables>(within)
      await trx.deleteFrom('space_clusters').where('cluster_id', '=', clusterId).execute()
    },
  }
}

/** Spaces by the clusters that they use. */
function createClusterUse(db: Db) {
  return {
    /** Spaces that use any of these clusters, by their ids. */
    usersOf(tenantId: string, clusterIds: readonly string[]): Promise<Map<string, { namespace: string }>> {
      return db.tenantOne<Tables, Map<string, { namespace: string }>>(tenantId, async (trx) => {
        const rows = await trx
          .selectFrom('spaces')
          .select(['id', 'name'])
          .where('id', 'in', (used) =>
            used
              .selectFrom('space_clusters')
              .select('space_id')
              .where('cluster_id', '=', sql<string>`any(${[...clusterIds]}::text[])`),
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
  }
}

export type Spaces = ReturnType<typeof createSpaces>

/** Spaces, and clusters by the spaces that use them, as things that lie in a space. */
export const spacePlaces = (ids: readonly string[]): RawBuilder<PlaceRow> =>
  sql<PlaceRow>`select id, id as space_id, false as is_own, false as is_open from spaces where id = any(${ids}::text[])`
export const clusterPlaces = (ids: readonly string[]): RawBuilder<PlaceRow> =>
  sql<PlaceRow>`select cluster_id as id, space_id, false as is_own, false as is_open
    from space_clusters where cluster_id = any(${ids}::text[])`

/** Names stand in the order of their letters, whatever their case. */
const byLetters = (column: (typeof sortable)[keyof typeof sortable]) =>
  column === 'created_at' ? sql.ref(column) : sql`lower(${sql.ref(column)})`

function foundIn(trx: Transaction<Tables>, search: ListQuery['search'], within: SpaceCondition | undefined) {
  let found = trx.selectFrom('spaces').$castTo<Row>() as unknown as SelectQueryBuilder<Tables, 'spaces', Row>
  if (within) found = found.where(within('spaces.id'))
  if (search) {
    const pattern = likePattern(search)
    found = found.where((where) =>
      where.or([
        where('display_name', 'ilike', pattern),
        where('name', 'ilike', pattern),
        where('id', 'ilike', pattern),
      ]),
    )
  }
  return found
}

function selectSpace(query: SelectQueryBuilder<Tables, 'spaces', Row>, granted: RawBuilder<unknown> = sql`null`) {
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
    granted.as('granted'),
  ])
}

async function findRow<R>(trx: Transaction<Tables>, id: string, granted?: RawBuilder<unknown>): Promise<R | undefined> {
  const all = trx.selectFrom('spaces') as unknown as SelectQueryBuilder<Tables, 'spaces', Row>
  return (await selectSpace(all.where('id', '=', id), granted).executeTakeFirst()) as R | undefined
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
