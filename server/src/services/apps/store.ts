import type { App } from '@quayside/contract/apps/endpoints'
import type { AppSort } from '@quayside/contract/apps/sorts'
import { mostTags } from '@quayside/contract/http/limits'
import type { ListQuery } from '@quayside/contract/http/paging'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { PlaceRow } from '../../platform/auth/places.ts'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { shortId } from '../../platform/db/ids.ts'
import { tablesIn, type UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { filterValues, likePattern, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'
import { type AppRecordPatch, type AppRow, toColumns } from './rows.ts'
import type { Tables } from './tables.ts'

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
} as const satisfies Record<AppSort, string>
const filterColumns = {
  spaceId: 'apps.space_id',
  clusterId: 'apps.cluster_id',
  state: 'apps.state',
  catalogItemId: 'apps.catalog_item_id',
  appType: 'apps.app_type',
} as const

/** Reads and writes the records of apps. `within` keeps those of some spaces; left out, those of all are meant. */
export function createAppStore(db: Db) {
  return {
    ...createRecordReads(db),
    ...createRecordWrites(db),
    ...createBulkReads(db),
  }
}
export type AppStore = ReturnType<typeof createAppStore>

function createRecordReads(db: Db) {
  return {
    /** A page of the apps that match. */
    page(
      tenantId: string,
      query: ListQuery,
      within: SpaceCondition | undefined,
    ): Promise<{ rows: AppRow[]; total: number }> {
      return db.tenant<Tables, { rows: AppRow[]; total: number }>(tenantId, async (trx) => {
        const found = filtered(selectApps(trx, within), query)
        const { total } = await found
          .clearSelect()
          .select(sql<number>`count(*)::int`.as('total'))
          .executeTakeFirstOrThrow()
        let page = found
        for (const [column, direction] of orderOf(query.sort, sortable, [['apps.updated_at', 'desc']]))
          page = page.orderBy(byLetters(column), direction)
        const rows = await page.orderBy('apps.id').limit(query.page.limit).offset(query.page.skip).execute()
        return { rows, total }
      })
    },
    one(tenantId: string, id: string): Promise<AppRow | undefined> {
      return db.tenant<Tables, AppRow | undefined>(tenantId, (trx) =>
        selectApps(trx).where('apps.id', '=', id).executeTakeFirst(),
      )
    },
    byIds(tenantId: string, ids: readonly string[], within: SpaceCondition | undefined): Promise<AppRow[]> {
      return db.tenant<Tables, AppRow[]>(tenantId, (trx) =>
        selectApps(trx, within).where('apps.id', 'in', ids).execute(),
      )
    },
  }
}

/** Writes of records; inside the caller's transaction when one is given. */
function createRecordWrites(db: Db) {
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
    /** Adds a tag, or takes it off. Returns the tags of the app then; undefined when it is not there. */
    setTag(tenantId: string, id: string, tag: string, isSet: boolean): Promise<string[] | undefined> {
      return db.tenant<Tables, string[] | undefined>(tenantId, async (trx) => {
        const without = sql<string[]>`array_remove(tags, ${tag})`
        const added = sql<string[]>`case when cardinality(${without}) < ${mostTags}::int
          then array_append(${without}, ${tag}) else tags end`
        const row = await trx
          .updateTable('apps')
          .set({ tags: isSet ? added : without, updated_at: sql`now()` })
          .where('id', '=', id)
          .returning('tags')
          .executeTakeFirst()
        return row?.tags
      })
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
    async remove(tenantId: string, id: string, within?: UnitOfWork): Promise<void> {
      const write = async (trx: Transaction<Tables>) => {
        await trx.deleteFrom('apps').where('id', '=', id).execute()
      }
      await (within ? write(tablesIn<Tables>(within)) : db.tenant<Tables, void>(tenantId, write))
    },
  }
}

/** Reads over many apps that need no page of them. */
function createBulkReads(db: Db) {
  return {
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
    /** The first apps of a space that have a release, in the order of their names. */
    deployedIn(tenantId: string, spaceId: string, most: number): Promise<{ id: string; displayName: string }[]> {
      return db.tenantOne<Tables, { id: string; displayName: string }[]>(tenantId, (trx) =>
        trx
          .selectFrom('apps')
          .select(['id', 'display_name as displayName'])
          .where('space_id', '=', spaceId)
          .where('release_name', 'is not', null)
          .orderBy(['name', 'id'])
          .limit(most)
          .execute(),
      )
    },
    /** The releases of a tenant on a cluster, each with its app. */
    releasesOn(tenantId: string, clusterId: string): Promise<{ id: string; namespace: string; releaseName: string }[]> {
      return db.tenantOne<Tables, { id: string; namespace: string; releaseName: string }[]>(tenantId, (trx) =>
        trx
          .selectFrom('apps')
          .select(['id', 'namespace', sql<string>`release_name`.as('releaseName')])
          .where('cluster_id', '=', clusterId)
          .where('release_name', 'is not', null)
          .execute(),
      )
    },
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
    /** How many apps are in each state, of one space or of all that `within` keeps. */
    countsByState(
      tenantId: string,
      within: SpaceCondition | undefined,
      spaceId: string | undefined,
    ): Promise<{ state: string; count: number }[]> {
      return db.tenant<Tables, { state: string; count: number }[]>(tenantId, (trx) =>
        trx
          .selectFrom('apps')
          .$if(within !== undefined, (all) => all.where(within?.('space_id') as RawBuilder<SqlBool>))
          .$if(spaceId !== undefined, (all) => all.where('space_id', '=', spaceId as string))
          .select(['state', sql<number>`count(*)::int`.as('count')])
          .groupBy('state')
          .orderBy('state')
          .execute(),
      )
    },
    /** Apps with a release, each with its catalog item; without a revision, none was ever installed. */
    released(
      tenantId: string,
      within: SpaceCondition | undefined,
    ): Promise<{ id: string; item: string; revision: number | null }[]> {
      return db.tenant<Tables, { id: string; item: string; revision: number | null }[]>(tenantId, (trx) =>
        trx
          .selectFrom('apps')
          .$if(within !== undefined, (all) => all.where(within?.('space_id') as RawBuilder<SqlBool>))
          .select(['id', 'catalog_item_id as item', 'revision'])
          .where('release_name', 'is not', null)
          .execute(),
      )
    },
  }
}

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
): SelectQueryBuilder<Tables, 'apps' | 'spaces', AppRow> {
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
