import type { ListQuery } from '@quayside/contract/http/paging'
import type { Space } from '@quayside/contract/spaces/endpoints'
import type { SpaceSort } from '@quayside/contract/spaces/sorts'
import { type RawBuilder, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { PlaceRow } from '../../platform/auth/places.ts'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { tablesIn, type UnitOfWork, unitOfWork } from '../../platform/db/unit-of-work.ts'
import { fail } from '../../platform/http/errors.ts'
import { likePattern, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'
import { attach, changeClusters, createClusterUse, lockSpace } from './cluster-use.ts'
import { isSameName } from './names.ts'
import type { Tables } from './tables.ts'

interface SpaceRow {
  id: string
  name: string
  display_name: string
  description: string
  created_at: Date
  apps: Space['apps']
  cluster_ids: string[]
  freeze: Space['freeze']
}
/** A space with the scopes that one caller was granted in it, as `Rights.scopesFrom` reads them. */
export type GrantedRow = SpaceRow & { granted: unknown }

interface Change {
  displayName: string
  description: string
  clusterIds: readonly string[]
}

const sortable = { createdAt: 'created_at', name: 'name', displayName: 'display_name' } as const satisfies Record<
  SpaceSort,
  string
>

/** Reads and writes the records of spaces and of the clusters that they use. */
export function createSpaceStore(db: Db) {
  return {
    ...createReads(db),
    ...createWrites(db),
    ...createClusterUse(db),
  }
}
export type SpaceStore = ReturnType<typeof createSpaceStore>

function createReads(db: Db) {
  return {
    /** A page of the spaces that match; `granted` selects what the caller was granted in each. */
    page(
      tenantId: string,
      query: ListQuery,
      within: SpaceCondition | undefined,
      granted: RawBuilder<unknown>,
    ): Promise<{ rows: GrantedRow[]; total: number }> {
      mustKnowFilters(query.filters, [])
      return db.tenant<Tables, { rows: GrantedRow[]; total: number }>(tenantId, async (trx) => {
        const found = matching(trx, query.search, within)
        const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
        let page = withColumns(found, granted)
        for (const [column, direction] of orderOf(query.sort, sortable, [['created_at', 'asc']]))
          page = page.orderBy(byLetters(column), direction)
        const rows = await page.orderBy('id').limit(query.page.limit).offset(query.page.skip).execute()
        return { rows, total }
      })
    },
    /** Names of spaces by their ids. */
    named(tenantId: string, ids: readonly string[]): Promise<{ id: string; name: string; display_name: string }[]> {
      return db.tenantOne<Tables, { id: string; name: string; display_name: string }[]>(tenantId, (trx) =>
        trx
          .selectFrom('spaces')
          .select(['id', 'name', 'display_name'])
          .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
          .execute(),
      )
    },

    one(tenantId: string, id: string, granted: RawBuilder<unknown> = sql`null`): Promise<GrantedRow | undefined> {
      return db.tenantOne<Tables, GrantedRow | undefined>(tenantId, (trx) =>
        withColumns(trx.selectFrom('spaces').where('id', '=', id), granted).executeTakeFirst(),
      )
    },
  }
}

function createWrites(db: Db) {
  return {
    /**
     * Makes a space under its name, or under the other one where a space that is called differently has that, and does
     * `also` in the same transaction. Refuses what a space is called already.
     */
    create(
      tenantId: string,
      space: Change & { id: string; name: string; otherName: string },
      also: (work: UnitOfWork) => Promise<void>,
    ): Promise<void> {
      return db.tenant<Tables, void>(tenantId, async (trx) => {
        const { id, name, otherName, displayName, description } = space
        const insert = (as: string) =>
          trx
            .insertInto('spaces')
            .values({ id, tenant_id: tenantId, name: as, display_name: displayName, description })
            .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
            .returning('id')
            .executeTakeFirst()
        if (!(await insert(name))) {
          const holder = await trx
            .selectFrom('spaces')
            .select('display_name')
            .where('name', '=', name)
            .executeTakeFirst()
          const isTaken = !holder || isSameName(holder.display_name, displayName) || !(await insert(otherName))
          if (isTaken) throw fail('space.name-taken', { field: 'displayName' })
        }
        await attach(trx, tenantId, id, space.clusterIds)
        await also(unitOfWork(trx))
      })
    },
    /**
     * Changes what is given of a space, and has it use the wanted clusters.
     * @returns clusters that it is to leave, which it still uses, and on which it has no apps
     */
    update(
      tenantId: string,
      id: string,
      { displayName, description, clusterIds }: Partial<Change> & Pick<Change, 'displayName'>,
      leaving: (work: UnitOfWork) => Promise<ReadonlySet<string>>,
    ): Promise<string[]> {
      return db.tenant<Tables, string[]>(tenantId, async (trx) => {
        const changed = await trx
          .updateTable('spaces')
          .set({ display_name: displayName, ...(description === undefined ? {} : { description }) })
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
        if (!changed) throw fail('space.not-found')
        if (!clusterIds) return []
        return changeClusters(trx, { tenantId, spaceId: id, wanted: clusterIds }, await leaving(unitOfWork(trx)))
      })
    },
    /** Removes a space without apps, and refuses any other one. */
    async remove(work: UnitOfWork, id: string): Promise<void> {
      const trx = tablesIn<Tables>(work)
      await lockSpace(trx, id)
      const app = await trx.selectFrom('apps').select('id').where('space_id', '=', id).limit(1).executeTakeFirst()
      if (app) throw fail('space.not-empty')
      await trx.deleteFrom('spaces').where('id', '=', id).execute()
    },
  }
}

/** Spaces, and clusters by the spaces that use them, as things that lie in a space. */
export const spacePlaces = (ids: readonly string[]): RawBuilder<PlaceRow> =>
  sql<PlaceRow>`select id, id as space_id, false as is_own, false as is_open from spaces where id = any(${ids}::text[])`
export const clusterPlaces = (ids: readonly string[]): RawBuilder<PlaceRow> =>
  sql<PlaceRow>`select cluster_id as id, space_id, false as is_own, false as is_open
    from space_clusters where cluster_id = any(${ids}::text[])`

/** Names stand in the order of their letters, whatever their case. */
const byLetters = (column: (typeof sortable)[keyof typeof sortable]) =>
  column === 'created_at' ? sql.ref(column) : sql`lower(${sql.ref(column)})`

function matching(trx: Transaction<Tables>, search: ListQuery['search'], within: SpaceCondition | undefined) {
  let found = trx.selectFrom('spaces')
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

/** The format of `to_char` for what `toISOString` prints. */
const isoFormat = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'

function withColumns(spaces: SelectQueryBuilder<Tables, 'spaces', object>, granted: RawBuilder<unknown>) {
  return spaces.select([
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
    // Moments leave JSON as the driver would print them.
    sql<Space['freeze']>`(select json_build_object('reason', f.reason, 'by', f.begun_by, 'exempt', f.exempt,
        'until', to_char(f.until at time zone 'UTC', ${sql.lit(isoFormat)}),
        'at', to_char(f.begun_at at time zone 'UTC', ${sql.lit(isoFormat)}))
      from space_freeze f where f.space_id = spaces.id and (f.until is null or f.until > now()))`.as('freeze'),
    granted.as('granted'),
  ])
}
