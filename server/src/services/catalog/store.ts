import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import { filterValues, likePattern, listReply, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'
import type { VersionHead } from './present.ts'
import { lockCatalog, showNewest } from './publish.ts'
import type { Brought } from './sources/store.ts'
import type { ItemRow, Tables, VersionRow } from './tables.ts'

const sortable = {
  displayName: 'display_name',
  name: 'name',
  category: 'category',
  manufacturer: 'manufacturer_name',
  featured: 'featured',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const
const filterable = {
  type: 'type',
  appType: 'app_type',
  category: 'category',
  name: 'name',
  source: 'source_id',
} as const
const flags = ['visible', 'enabled', 'featured'] as const
const known = [...Object.keys(filterable), ...flags, 'kind', 'manufacturer', 'tag']

/** Name of the source of a row; null where it has none. */
const sourceName = (table: 'catalog_items' | 'catalog_versions') =>
  sql<string | null>`(select name from catalog_source where id = ${sql.ref(`${table}.source_id`)})`.as('source_name')

const headColumns = [
  'id',
  'tenant_id',
  'item_id',
  'version',
  'digest',
  'size_bytes',
  'app_version',
  'kube_version',
  'deprecated',
  'icon_uri',
  'icon_embedded',
  'metadata',
  'chart',
  'source_id',
  'created_at',
  sourceName('catalog_versions'),
] as const

interface ManufacturerRow {
  id: string
  name: string
  itemCount: number
}

/** Reads items, versions and packages of one tenant. */
export function createStore(db: Db) {
  const within: Reading = (tenantId, run) => db.tenant(tenantId, run)
  const one: Reading = (tenantId, run) => db.tenantOne(tenantId, run)

  return {
    ...itemsIn(within, one),

    ...removalsIn(within),

    ...versionsIn(within, one),
  }
}

type Reading = <R>(tenantId: string, run: (trx: Transaction<Tables>) => Promise<R>) => Promise<R>

const items = (trx: Transaction<Tables>) =>
  trx.selectFrom('catalog_items').selectAll('catalog_items').select(sourceName('catalog_items'))
const versions = (trx: Transaction<Tables>) =>
  trx.selectFrom('catalog_versions').selectAll('catalog_versions').select(sourceName('catalog_versions'))

/** Items and their makers, in lists. */
function itemsIn(within: Reading, one: Reading) {
  return {
    list(tenantId: string, query: ListQuery, path: string): Promise<ListReply<ItemRow>> {
      return within(tenantId, async (trx) => {
        const found = filtered(items(trx), query)
        const { total } = await found
          .clearSelect()
          .select(sql<number>`count(*)::int`.as('total'))
          .executeTakeFirstOrThrow()
        let page = found
        const order = orderOf(query.sort, sortable, [
          ['featured', 'desc'],
          ['display_name', 'asc'],
        ])
        for (const [column, direction] of order) {
          page =
            column === 'featured' || column.endsWith('_at')
              ? page.orderBy(column, direction)
              : page.orderBy(sql`lower(${sql.ref(column)})`, direction)
        }
        const rows = await page.orderBy('id').limit(query.page.limit).offset(query.page.skip).execute()
        return listReply(rows, total, query, path)
      })
    },
    item(tenantId: string, by: { id: string } | { name: string }): Promise<ItemRow | undefined> {
      const [column, value] = 'id' in by ? (['id', by.id] as const) : (['name', by.name] as const)
      return one(tenantId, (trx) => items(trx).where(column, '=', value).executeTakeFirst())
    },
    latest(tenantId: string): Promise<{ id: string; latest_version: string }[]> {
      return one(tenantId, (trx) => trx.selectFrom('catalog_items').select(['id', 'latest_version']).execute())
    },
    manufacturers(tenantId: string, query: ListQuery, path: string): Promise<ListReply<ManufacturerRow>> {
      mustKnowFilters(query.filters, [])
      return within(tenantId, async (trx) => {
        let found = trx
          .selectFrom('catalog_items')
          .select(['manufacturer_id as id', sql<string>`min(manufacturer_name)`.as('name')])
          .select(sql<number>`count(*)::int`.as('itemCount'))
          .groupBy('manufacturer_id')
        if (query.search) found = found.where('manufacturer_name', 'ilike', likePattern(query.search))
        const order = orderOf(query.sort, { name: 'name', itemCount: 'itemCount' } as const, [['name', 'asc']])
        const { total } = await trx
          .selectFrom(found.as('found'))
          .select(sql<number>`count(*)::int`.as('total'))
          .executeTakeFirstOrThrow()
        let page = found
        for (const [column, direction] of order)
          page = page.orderBy(column === 'name' ? sql`lower(min(manufacturer_name))` : column, direction)
        const rows = await page.orderBy('id').limit(query.page.limit).offset(query.page.skip).execute()
        return listReply(rows, total, query, path)
      })
    },
    feature(tenantId: string, id: string, featured: boolean): Promise<ItemRow | undefined> {
      return one(tenantId, (trx) =>
        trx
          .updateTable('catalog_items')
          .set({ featured, updated_at: sql`now()` })
          .where('id', '=', id)
          .returningAll()
          .returning(sourceName('catalog_items'))
          .executeTakeFirst(),
      )
    },
  }
}

/** Deletion of items and versions, with the packages that nothing else uses. */
function removalsIn(within: Reading) {
  return {
    remove(tenantId: string, id: string): Promise<boolean> {
      return within(tenantId, async (trx) => {
        const gone = await trx.deleteFrom('catalog_items').where('id', '=', id).returning('id').executeTakeFirst()
        await dropUnusedPackages(trx)
        return gone !== undefined
      })
    },
    /** Takes those of the versions out that are of these items, and items that have none left; returns how many items. */
    removeVersions(tenantId: string, { items: ids, versions: versionIds }: Brought): Promise<number> {
      return within(tenantId, async (trx) => {
        await lockCatalog(trx, tenantId)
        const isAmong = (column: string, all: readonly string[]) =>
          sql<boolean>`${sql.ref(column)} = any(${[...all]}::text[])`
        await trx
          .deleteFrom('catalog_versions')
          .where(isAmong('item_id', ids))
          .where(isAmong('id', versionIds))
          .execute()
        const left = await trx
          .selectFrom('catalog_versions')
          .select('item_id')
          .distinct()
          .where(isAmong('item_id', ids))
          .execute()
        for (const { item_id } of left) await showNewest(trx, item_id)
        const kept = new Set(left.map(({ item_id }) => item_id))
        const empty = ids.filter((id) => !kept.has(id))
        const { numDeletedRows } = await trx
          .deleteFrom('catalog_items')
          .where(isAmong('id', empty))
          .executeTakeFirstOrThrow()
        await dropUnusedPackages(trx)
        return Number(numDeletedRows)
      })
    },
  }
}

const dropUnusedPackages = (trx: Transaction<Tables>) =>
  sql`delete from catalog_packages p where not exists (
    select 1 from catalog_versions v where v.tenant_id = p.tenant_id and v.digest = p.digest)`.execute(trx)

/** Versions of items, and their packages. */
function versionsIn(within: Reading, one: Reading) {
  return {
    version(tenantId: string, id: string): Promise<VersionRow | undefined> {
      return one(tenantId, (trx) => versions(trx).where('id', '=', id).executeTakeFirst())
    },
    versionWithItem(tenantId: string, id: string): Promise<{ version: VersionRow; item: ItemRow } | undefined> {
      return within(tenantId, async (trx) => {
        const version = await versions(trx).where('id', '=', id).executeTakeFirst()
        if (!version) return undefined
        return { version, item: await items(trx).where('id', '=', version.item_id).executeTakeFirstOrThrow() }
      })
    },
    publisherNamed(tenantId: string, name: string): Promise<string | undefined> {
      return one(tenantId, async (trx) => {
        const by = trx.selectFrom('catalog_versions').select('published_by_id').where('published_by', '=', name)
        const found = await by.orderBy('created_at', 'desc').limit(1).executeTakeFirst()
        return found?.published_by_id ?? undefined
      })
    },
    versionsOf(tenantId: string, itemId: string): Promise<VersionHead[]> {
      return one(tenantId, (trx) =>
        trx.selectFrom('catalog_versions').select(headColumns).where('item_id', '=', itemId).execute(),
      )
    },
    /** Every version with its item's name, for the repository's index. */
    allVersions(tenantId: string): Promise<VersionHead[]> {
      return one(tenantId, (trx) => trx.selectFrom('catalog_versions').select(headColumns).execute())
    },
    digestOfFile(tenantId: string, file: string): Promise<{ digest: string } | undefined> {
      return one(tenantId, (trx) =>
        trx
          .selectFrom('catalog_versions')
          .innerJoin('catalog_items', 'catalog_items.id', 'catalog_versions.item_id')
          .select('catalog_versions.digest')
          .where(sql`catalog_items.name || '-' || catalog_versions.version`, '=', file)
          .executeTakeFirst(),
      )
    },
    async packageBytes(tenantId: string, digest: string): Promise<Buffer | undefined> {
      const row = await one(tenantId, (trx) =>
        trx.selectFrom('catalog_packages').select('bytes').where('digest', '=', digest).executeTakeFirst(),
      )
      return row?.bytes
    },
  }
}

type Items = SelectQueryBuilder<Tables, 'catalog_items', ItemRow>

function filtered(query: Items, { search, filters }: ListQuery): Items {
  mustKnowFilters(filters, known)
  let found = search ? searched(query, likePattern(search)) : query
  for (const [name, column] of Object.entries(filterable) as [keyof typeof filterable, 'name'][]) {
    const values = filterValues(filters, name)
    if (values.length > 0) found = found.where(column, 'in', values)
  }
  for (const flag of flags) {
    const [value] = filterValues(filters, flag)
    if (value !== undefined) found = found.where(flag, '=', value === 'true')
  }
  const kinds = filterValues(filters, 'kind').map((kind) => kind.toLowerCase())
  if (kinds.length > 0) found = found.where(sql<string>`lower(type)`, 'in', kinds)
  const makers = filterValues(filters, 'manufacturer')
  if (makers.length > 0) {
    found = found.where((where) =>
      where.or([where('manufacturer_id', 'in', makers), where('manufacturer_name', 'in', makers)]),
    )
  }
  const tags = filterValues(filters, 'tag')
  return tags.length > 0 ? found.where(sql<boolean>`tags && ${tags}::text[]`) : found
}

function searched(query: Items, pattern: string): Items {
  return query.where((where) =>
    where.or([
      where('name', 'ilike', pattern),
      where('display_name', 'ilike', pattern),
      where('manufacturer_name', 'ilike', pattern),
      where('category', 'ilike', pattern),
      where('short_description', 'ilike', pattern),
      where(sql<string>`array_to_string(keywords || tags, ' ')`, 'ilike', pattern),
    ]),
  )
}
