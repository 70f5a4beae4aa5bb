import type { App, AppPatch } from '@quayside/contract/apps/endpoints'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { PlaceRow } from '../../platform/auth/places.ts'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { shortId } from '../../platform/db/ids.ts'
import { tablesIn, type UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { fail } from '../../platform/http/errors.ts'
import { filterValues, likePattern, listReply, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'
import type { ClusterName } from '../spaces/index.ts'
import { type AppRecord, type AppRecordPatch, type AppRow as Row, toApp, toColumns, toRecord } from './rows.ts'
import type { Tables } from './tables.ts'

export type { AppRecord } from './rows.ts'

interface AppPorts {
  clusterNames(tenantId: string): Promise<Map<string, ClusterName>>
  /** The newest version of each catalog item, by item id. */
  newestVersions(tenantId: string): Promise<Map<string, string>>
}

interface NewApp {
  spaceId: string
  clusterId: string
  name: string
  displayName: string
  description: string
  shortDescription: string
  color: string
  iconUri: string | null
  iconEmbedded: string | null
  tags: string[]
  resourceRoles: string[]
  itemType: string
  appType: string
  catalogItemId: string
  catalogItemName: string
  catalogVersionId: string
  version: string
  namespace: string
  createdBy: string
}

const sortable = {
  displayName: 'apps.display_name',
  name: 'apps.name',
  createdAt: 'apps.created_at',
  updatedAt: 'apps.updated_at',
  state: 'apps.state',
  version: 'apps.version',
} as const
const filterColumns = {
  spaceId: 'apps.space_id',
  clusterId: 'apps.cluster_id',
  state: 'apps.state',
  catalogItemId: 'apps.catalog_item_id',
  appType: 'apps.app_type',
} as const

export function createApps(db: Db, ports: AppPorts) {
  const reads = createAppReads(db, ports)
  const records = createAppRecords(db)
  return {
    ...reads,

    ...records,

    ...createAppChanges(db, reads.get, records.patchRecord),

    ...createAppCounts(db),
  }
}

/** Apps as lists and pages show them, and the records that other services ask for. */
function createAppReads(db: Db, ports: AppPorts) {
  async function present(tenantId: string, rows: Row[]): Promise<App[]> {
    const [clusters, newest] = await Promise.all([ports.clusterNames(tenantId), ports.newestVersions(tenantId)])
    return rows.map((row) => toApp(row, clusters, newest))
  }

  const rowOf = (tenantId: string, id: string) =>
    db.tenant<Tables, Row | undefined>(tenantId, (trx) => selectApps(trx).where('apps.id', '=', id).executeTakeFirst())

  async function find(tenantId: string, id: string): Promise<App | undefined> {
    const row = await rowOf(tenantId, id)
    return row && (await present(tenantId, [row]))[0]
  }

  async function get(tenantId: string, id: string): Promise<App> {
    const app = await find(tenantId, id)
    if (!app) throw fail('app.not-found')
    return app
  }

  return {
    /** `within` keeps the apps of some spaces; left out, those of all. */
    async list(tenantId: string, query: ListQuery, path: string, within?: SpaceCondition): Promise<ListReply<App>> {
      const { rows, total } = await db.tenant<Tables, { rows: Row[]; total: number }>(tenantId, async (trx) => {
        const found = filtered(selectApps(trx, within), query)
        const counted = await found
          .clearSelect()
          .select(sql<number>`count(*)::int`.as('total'))
          .executeTakeFirstOrThrow()
        let page = found
        for (const [column, direction] of orderOf(query.sort, sortable, [['apps.updated_at', 'desc']]))
          page = page.orderBy(byLetters(column), direction)
        const rows = await page.orderBy('apps.id').limit(query.page.limit).offset(query.page.skip).execute()
        return { rows, total: counted.total }
      })
      return listReply(await present(tenantId, rows), total, query, path)
    },
    find,
    /** The app's own record: one query instead of three, for frequent callers. */
    async record(tenantId: string, id: string): Promise<AppRecord | undefined> {
      const row = await rowOf(tenantId, id)
      return row && toRecord(row)
    },
    get,
    async byIds(tenantId: string, ids: string[], within?: SpaceCondition): Promise<App[]> {
      if (ids.length === 0) return []
      const rows = await db.tenant<Tables, Row[]>(tenantId, (trx) =>
        selectApps(trx, within).where('apps.id', 'in', ids).execute(),
      )
      return present(tenantId, rows)
    },
    /** Every app with a release, for the passes that keep states fresh. */
    deployed(): Promise<{ tenantId: string; id: string; clusterId: string }[]> {
      return db.platform<Tables, { tenantId: string; id: string; clusterId: string }[]>((trx) =>
        trx
          .selectFrom('apps')
          .select(['tenant_id as tenantId', 'id', 'cluster_id as clusterId'])
          .where('release_name', 'is not', null)
          .execute(),
      )
    },
  }
}

type AppRecords = ReturnType<typeof createAppRecords>

/** Writes of records; inside the caller's transaction when one is given. */
function createAppRecords(db: Db) {
  return {
    /** Makes the record; inside the caller's transaction when one is given. */
    async create(tenantId: string, app: NewApp, within?: UnitOfWork): Promise<{ id: string }> {
      const id = shortId()
      const write = async (trx: Transaction<Tables>): Promise<void> => {
        await trx
          .insertInto('apps')
          .values({ id, tenant_id: tenantId, ...rowOfNew(app) })
          .execute()
      }
      await (within ? write(tablesIn<Tables>(within)) : db.tenant<Tables, void>(tenantId, write))
      return { id }
    },
    /** Changes the record; inside the caller's transaction when one is given. Returns whether the app is there. */
    async patchRecord(tenantId: string, id: string, patch: AppRecordPatch, within?: UnitOfWork): Promise<boolean> {
      const write = async (trx: Transaction<Tables>) => {
        const row = await trx
          .updateTable('apps')
          .set(toColumns(patch))
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
        return row !== undefined
      }
      return within ? write(tablesIn<Tables>(within)) : db.tenant<Tables, boolean>(tenantId, write)
    },
    /** Stores the state seen of an app, unless its record has changed since it was looked at. */
    async setSeenState(
      tenantId: string,
      seen: Pick<App, 'id' | 'state' | 'revision'>,
      patch: Pick<AppRecordPatch, 'state' | 'stateMessage'>,
    ): Promise<boolean> {
      const row = await db.tenant<Tables, { id: string } | undefined>(tenantId, (trx) =>
        trx
          .updateTable('apps')
          .set(toColumns(patch))
          .where('id', '=', seen.id)
          .where('state', '=', seen.state)
          .where(sql<boolean>`revision is not distinct from ${seen.revision}`)
          .returning('id')
          .executeTakeFirst(),
      )
      return row !== undefined
    },
    async remove(tenantId: string, id: string, within?: UnitOfWork): Promise<void> {
      const write = async (trx: Transaction<Tables>) => {
        await trx.deleteFrom('apps').where('id', '=', id).execute()
      }
      await (within ? write(tablesIn<Tables>(within)) : db.tenant<Tables, void>(tenantId, write))
    },
  }
}

/** Changes that a person makes to an app, and the picture of its icon once it is known. */
function createAppChanges(
  db: Db,
  get: (tenantId: string, id: string) => Promise<App>,
  patchRecord: AppRecords['patchRecord'],
) {
  return {
    async patch(tenantId: string, id: string, patch: AppPatch): Promise<App> {
      if (Object.keys(patch).length === 0) return get(tenantId, id)
      if (!(await patchRecord(tenantId, id, patch))) throw fail('app.not-found')
      return get(tenantId, id)
    },
    async setTag(tenantId: string, id: string, tag: string, present: boolean): Promise<App> {
      const changed = await db.tenant<Tables, unknown>(tenantId, (trx) => {
        const without = sql<string[]>`array_remove(tags, ${tag})`
        const tags = present ? sql<string[]>`array_append(${without}, ${tag})` : without
        return trx
          .updateTable('apps')
          .set({ tags, updated_at: sql`now()` })
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
      })
      if (!changed) throw fail('app.not-found')
      return get(tenantId, id)
    },
    /** Gives a picture to the apps whose icon so far was only an address. */
    async showIcon(tenantId: string, address: string, picture: string): Promise<void> {
      await db.tenant<Tables, unknown>(tenantId, (trx) =>
        trx
          .updateTable('apps')
          .set({ icon_embedded: picture })
          .where('icon_uri', '=', address)
          .where('icon_embedded', 'is', null)
          .execute(),
      )
    },
  }
}

/** How many apps there are by cluster, and how many are deployed by item. */
function createAppCounts(db: Db) {
  return {
    countsByCluster(tenantId: string, within?: SpaceCondition): Promise<Map<string, number>> {
      return db.tenant<Tables, Map<string, number>>(tenantId, async (trx) => {
        const rows = await trx
          .selectFrom('apps')
          .$if(within !== undefined, (all) => all.where(within?.('space_id') as RawBuilder<SqlBool>))
          .select(['cluster_id as key', sql<number>`count(*)::int`.as('count')])
          .groupBy('cluster_id')
          .execute()
        return new Map(rows.map((row) => [row.key, row.count]))
      })
    },
    /**
     * How many apps of each catalog item are deployed. An installation that has not succeeded counts as soon as it may
     * have written something, which `begun` knows; a record that was only assigned does not.
     */
    async deployedByItem(
      tenantId: string,
      begun: (appIds: string[]) => Promise<Set<string>>,
      within?: SpaceCondition,
    ): Promise<Map<string, number>> {
      const tried = await db.tenant<Tables, { id: string; item: string; revision: number | null }[]>(tenantId, (trx) =>
        trx
          .selectFrom('apps')
          .$if(within !== undefined, (all) => all.where(within?.('space_id') as RawBuilder<SqlBool>))
          .select(['id', 'catalog_item_id as item', 'revision'])
          .where('release_name', 'is not', null)
          .execute(),
      )
      const open = await begun(tried.filter(({ revision }) => revision === null).map(({ id }) => id))
      const counts = new Map<string, number>()
      for (const { id, item, revision } of tried)
        if (revision !== null || open.has(id)) counts.set(item, (counts.get(item) ?? 0) + 1)
      return counts
    },
  }
}

export type Apps = ReturnType<typeof createApps>

/** Columns of an app that is assigned and was never deployed. */
function rowOfNew(app: NewApp) {
  return {
    space_id: app.spaceId,
    cluster_id: app.clusterId,
    name: app.name,
    display_name: app.displayName,
    description: app.description,
    short_description: app.shortDescription,
    color: app.color,
    icon_uri: app.iconUri,
    icon_embedded: app.iconEmbedded,
    tags: app.tags,
    resource_roles: app.resourceRoles,
    item_type: app.itemType,
    app_type: app.appType,
    catalog_item_id: app.catalogItemId,
    catalog_item_name: app.catalogItemName,
    catalog_version_id: app.catalogVersionId,
    version: app.version,
    release_name: null,
    namespace: app.namespace,
    revision: null,
    state: 'assigned',
    state_message: null,
    created_by: app.createdBy,
  } as const
}

function selectApps(trx: Transaction<Tables>, within?: SpaceCondition) {
  const all = trx
    .selectFrom('apps')
    .innerJoin('spaces', 'spaces.id', 'apps.space_id')
    .selectAll('apps')
    .select('spaces.display_name as space_name')
  return within ? all.where(within('apps.space_id')) : all
}

/** Apps as things that lie in a space. */
export const appPlaces = (ids: readonly string[]): RawBuilder<PlaceRow> =>
  sql<PlaceRow>`select id, space_id, false as is_own, false as is_open from apps where id = any(${ids}::text[])`

/** Names stand in the order of their letters, whatever their case. */
const byLetters = (column: (typeof sortable)[keyof typeof sortable]) =>
  column.endsWith('_at') ? sql.ref(column) : sql`lower(${sql.ref(column)})`

function filtered(
  query: ReturnType<typeof selectApps>,
  { search, filters }: ListQuery,
): SelectQueryBuilder<Tables, 'apps' | 'spaces', Row> {
  mustKnowFilters(filters, [...Object.keys(filterColumns), 'kind', 'tag'])
  let found = query
  if (search) {
    const pattern = likePattern(search)
    found = found.where((where) =>
      where.or([
        where('apps.display_name', 'ilike', pattern),
        where('apps.id', 'ilike', pattern),
        where('apps.version', 'ilike', pattern),
        where('apps.catalog_item_name', 'ilike', pattern),
        where('spaces.display_name', 'ilike', pattern),
        where(sql<string>`array_to_string(apps.tags, ' ')`, 'ilike', pattern),
      ]),
    )
  }
  for (const [name, column] of Object.entries(filterColumns) as [
    keyof typeof filterColumns,
    (typeof filterColumns)[keyof typeof filterColumns],
  ][]) {
    const values = filterValues(filters, name)
    if (values.length > 0) found = found.where(column, 'in', values)
  }
  const kinds = filterValues(filters, 'kind').map((kind) => kind.toLowerCase())
  if (kinds.length > 0) found = found.where(sql<string>`lower(apps.item_type)`, 'in', kinds)
  const tags = filterValues(filters, 'tag')
  if (tags.length > 0) found = found.where(sql<boolean>`apps.tags && ${tags}::text[]`)
  return found
}
