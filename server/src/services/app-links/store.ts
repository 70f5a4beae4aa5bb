import type { AppLinkSort } from '@quayside/contract/app-links/sorts'
import type { ListQuery } from '@quayside/contract/http/paging'
import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import { longId } from '../../platform/db/ids.ts'
import { filterValues, likePattern, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'
import type { LinkContent } from './link-content.ts'
import type { AppLinkRow, Tables } from './tables.ts'

type Trx = Transaction<Tables>

const sortable = {
  name: 'name',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<AppLinkSort, keyof AppLinkRow>

/** Reads and writes the links of a tenant. */
export function createAppLinkStore(db: Db) {
  return {
    /** A page of the links that match, by name unless another order is asked for. */
    page: (tenantId: string, query: ListQuery): Promise<{ rows: AppLinkRow[]; total: number }> =>
      db.tenant<Tables, { rows: AppLinkRow[]; total: number }>(tenantId, async (trx) => {
        const found = matching(trx, query)
        const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
        let page = found.selectAll()
        for (const [column, direction] of orderOf(query.sort, sortable, [['name', 'asc']]))
          page = page.orderBy(column === 'name' ? sql`lower(name)` : column, direction)
        const rows = await page.orderBy('id').limit(query.page.limit).offset(query.page.skip).execute()
        return { rows, total }
      }),

    /** Undefined when another link has the name. */
    add: (tenantId: string, content: LinkContent, by: string): Promise<AppLinkRow | undefined> =>
      db.tenantOne<Tables, AppLinkRow | undefined>(tenantId, (trx) =>
        trx
          .insertInto('app_links')
          .values({ id: longId(), tenant_id: tenantId, ...content, created_by: by, updated_by: by })
          .onConflict((conflict) => conflict.constraint('app_links_name').doNothing())
          .returningAll()
          .executeTakeFirst(),
      ),

    /**
     * Gives a link the content that `decide` makes of what it is now, which nobody changes meanwhile. A link that it
     * leaves as it is keeps who has changed it and when. Undefined when there is no such link; throws what `decide`
     * throws, and a unique violation when another link has the name.
     */
    change: (
      tenantId: string,
      id: string,
      by: string,
      decide: (row: AppLinkRow) => Partial<LinkContent>,
    ): Promise<AppLinkRow | undefined> =>
      db.tenant<Tables, AppLinkRow | undefined>(tenantId, async (trx) => {
        const row = await trx.selectFrom('app_links').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
        if (row === undefined) return undefined
        const content = decide(row)
        if (isSame(row, content)) return row
        return trx
          .updateTable('app_links')
          .set({ ...content, updated_at: sql<Date>`clock_timestamp()`, updated_by: by })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
      }),

    /** Returns whether the link was there. */
    remove: (tenantId: string, id: string): Promise<boolean> =>
      db.tenantOne<Tables, boolean>(tenantId, async (trx) => {
        const { numDeletedRows } = await trx.deleteFrom('app_links').where('id', '=', id).executeTakeFirstOrThrow()
        return numDeletedRows > 0n
      }),
  }
}

function isSame(row: AppLinkRow, content: Partial<LinkContent>): boolean {
  return Object.entries(content).every(
    ([column, value]) => JSON.stringify(row[column as keyof LinkContent]) === JSON.stringify(value),
  )
}

function matching(
  trx: Trx,
  { search, filters }: ListQuery,
): SelectQueryBuilder<Tables, 'app_links', Record<never, never>> {
  mustKnowFilters(filters, ['tag'])
  let found = trx.selectFrom('app_links')
  if (search) {
    const pattern = likePattern(search)
    found = found.where((where) =>
      where.or([
        where('name', 'ilike', pattern),
        where('url', 'ilike', pattern),
        where('description', 'ilike', pattern),
        where(sql<string>`array_to_string(tags, ' ')`, 'ilike', pattern),
      ]),
    )
  }
  const tags = filterValues(filters, 'tag')
  return tags.length === 0 ? found : found.where(sql<boolean>`tags && ${tags}::text[]`)
}
