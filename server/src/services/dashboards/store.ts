import { dashboardScopes, daysInTrash, homeTags, mostOwned } from '@quayside/contract/dashboards/rules'
import type { DashboardSort } from '@quayside/contract/dashboards/sorts'
import type { DashboardSpec } from '@quayside/contract/dashboards/spec'
import type { ListQuery } from '@quayside/contract/http/paging'
import { type SqlBool, sql, type Transaction } from 'kysely'
import type { Actor, Holder } from '../../platform/auth/actor.ts'
import type { Db } from '../../platform/db/db.ts'
import { longId } from '../../platform/db/ids.ts'
import { fail } from '../../platform/http/errors.ts'
import { filterValues, likePattern, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'
import { allDashboards, managedBy, seenDashboards, starredBy } from './seen.ts'
import type { SeenDashboard, Tables } from './tables.ts'

export type Trx = Transaction<Tables>

/** A person who owns a dashboard. */
export type Owner = Pick<Actor, 'userId' | 'username'>

interface Content {
  displayName: string
  description: string
  tags: string[]
  spec: DashboardSpec
}

const sortable = {
  displayName: 'display_name',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<DashboardSort, string>

/** Everything that a permission list can give. */
export const allScopes = sql<never>`${[...dashboardScopes]}::text[]`

/** Reads and writes dashboards. Each is read with what the caller may do with it; without anything it is not there. */
export function createDashboardStore(db: Db) {
  return { ...createReads(db), ...createWrites(db) }
}
export type DashboardStore = ReturnType<typeof createDashboardStore>

function createReads(db: Db) {
  const within = <R>({ tenantId }: Holder, run: (trx: Trx) => Promise<R>) => db.tenant<Tables, R>(tenantId, run)
  return {
    /** `orphans` are those that are listed instead of what the caller sees. */
    page: (
      actor: Holder,
      query: ListQuery,
      orphans?: readonly string[],
    ): Promise<{ rows: SeenDashboard[]; total: number }> =>
      within(actor, async (trx) => {
        const found = matching(trx, actor, query, orphans)
        const { total } = await found
          .clearSelect()
          .select(sql<number>`count(*)::int`.as('total'))
          .executeTakeFirstOrThrow()
        let page = found
        for (const [column, direction] of orderOf(query.sort, sortable, [['display_name', 'asc']]))
          page = page.orderBy(column === 'display_name' ? sql`lower(display_name)` : column, direction)
        const rows = await page.orderBy('id').limit(query.page.limit).offset(query.page.skip).execute()
        return { rows, total }
      }),

    /** Dashboards that are there and those in the trash. */
    one: (actor: Holder, id: string): Promise<SeenDashboard | undefined> =>
      within(actor, (trx) => seenDashboards(trx, actor).where('id', '=', id).executeTakeFirst()),

    spec: (actor: Holder, id: string): Promise<DashboardSpec | undefined> =>
      within(actor, async (trx) => {
        const row = await trx.selectFrom('dashboards').select('spec').where('id', '=', id).executeTakeFirst()
        return row?.spec
      }),

    /** Those of these that the caller sees, by id. */
    names: (actor: Holder, ids: readonly string[]): Promise<Map<string, string>> =>
      within(actor, async (trx) => {
        const seen = seenDashboards(trx, actor).where('id', '=', sql<string>`any(${ids}::text[])`)
        const rows = await seen.where('deleted_at', 'is', null).execute()
        return new Map(rows.map((row) => [row.id, row.display_name]))
      }),

    tags: (actor: Holder, search: string | undefined): Promise<{ tag: string; count: number }[]> =>
      within(actor, async (trx) => {
        const seen = seenDashboards(trx, actor).where('deleted_at', 'is', null).as('d')
        const tags = trx
          .selectFrom(seen)
          .innerJoinLateral(sql<{ tag: string }>`unnest(d.tags)`.as<'t'>(sql`t (tag)`), (join) => join.onTrue())
          .select(['t.tag', sql<number>`count(*)::int`.as('count')])
          .groupBy('t.tag')
          .orderBy('t.tag')
          .limit(1000)
        return search ? tags.where('t.tag', 'ilike', likePattern(search)).execute() : tags.execute()
      }),

    /** The dashboard that the caller sees and that got the tag last. */
    tagged: (actor: Holder, tag: string): Promise<{ id: string; display_name: string } | undefined> =>
      within(actor, (trx) =>
        seenDashboards(trx, actor)
          .where('deleted_at', 'is', null)
          .where(sql<SqlBool>`${tag} = any(tags)`)
          .orderBy('home_since', sql`desc nulls last`)
          .orderBy('id')
          .executeTakeFirst(),
      ),
  }
}

function createWrites(db: Db) {
  return {
    /** Makes a dashboard that the owner and the caller manage; undefined when the owner has as many as they may. */
    add: (actor: Actor, content: Content, owner: Owner = actor): Promise<string | undefined> =>
      db.tenant<Tables, string | undefined>(actor.tenantId, async (trx) => {
        if (!(await mayOwnOneMore(trx, actor.tenantId, owner.userId))) return undefined
        const id = longId()
        const { tenantId: tenant_id, username } = actor
        const home_since = homeTagsOf(content).length > 0 ? sql<Date>`clock_timestamp()` : null
        const columns = {
          id,
          tenant_id,
          owner_id: owner.userId,
          owner: owner.username,
          updated_by: username,
          home_since,
        }
        await trx
          .insertInto('dashboards')
          .values({ ...columns, ...columnsOf(content) })
          .execute()
        const managers = [...new Set([owner.userId, actor.userId])].map((principal_id) => ({
          ...{ id: longId(), tenant_id, dashboard_id: id, principal_type: 'user' as const, principal_id },
          ...{ scopes: allScopes, granted_by: username },
        }))
        await trx.insertInto('dashboard_permissions').values(managers).execute()
        return id
      }),

    /** False when the dashboard has another revision than the one that was changed. */
    save: (actor: Actor, id: string, content: Content, baseRevision: number): Promise<boolean> =>
      db.tenantOne<Tables, boolean>(actor.tenantId, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('dashboards')
          .set({
            ...columnsOf(content),
            home_since: homeSince(content),
            revision: baseRevision + 1,
            updated_by: actor.username,
            updated_at: sql<Date>`clock_timestamp()`,
          })
          .where('id', '=', id)
          .where('revision', '=', baseRevision)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
        return numUpdatedRows > 0n
      }),

    setDeleted: (tenantId: string, id: string, isDeleted: boolean): Promise<unknown> =>
      db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx
          .updateTable('dashboards')
          .set({ deleted_at: isDeleted ? sql<Date>`clock_timestamp()` : null })
          .where('id', '=', id)
          .execute(),
      ),

    star: ({ tenantId, userId }: Actor, id: string, isStarred: boolean): Promise<unknown> =>
      db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        isStarred
          ? trx
              .insertInto('dashboard_stars')
              .values({ tenant_id: tenantId, dashboard_id: id, person_id: userId })
              .onConflict((conflict) => conflict.doNothing())
              .execute()
          : trx.deleteFrom('dashboard_stars').where('dashboard_id', '=', id).where('person_id', '=', userId).execute(),
      ),

    /** Removes what has been in the trash for as long as it can be restored. */
    emptyTrash: (): Promise<unknown> =>
      db.platform<Tables, unknown>((trx) =>
        trx
          .deleteFrom('dashboards')
          .where('deleted_at', '<', sql<Date>`now() - make_interval(days => ${daysInTrash}::int)`)
          .execute(),
      ),
  }
}

/** Counts what somebody owns, and lets no other transaction make them own more until this one ends. */
export async function mayOwnOneMore(trx: Trx, tenantId: string, userId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext(${`dashboards ${tenantId} ${userId}`}))`.execute(trx)
  const owned = trx.selectFrom('dashboards').where('owner_id', '=', userId)
  const { count } = await owned.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  return count < mostOwned
}

const homeTagsOf = ({ tags }: Pick<Content, 'tags'>) => homeTags.filter((tag) => tags.includes(tag))

/** A tag of Home that was there keeps its time. */
function homeSince(content: Content) {
  const ofHome = homeTagsOf(content)
  if (ofHome.length === 0) return null
  return sql<Date>`case when tags @> ${ofHome}::text[] then home_since else clock_timestamp() end`
}

function columnsOf({ displayName, description, tags, spec }: Content) {
  const panels = Object.values(spec.panels)
  const spaces = panels.flatMap(({ spec: { plugin } }) => ('spaceId' in plugin.spec ? (plugin.spec.spaceId ?? []) : []))
  return {
    ...{ display_name: displayName, description, tags: [...new Set(tags)], spec: JSON.stringify(spec) },
    panels: panels.length,
    space_ids: [...new Set(spaces)],
    widget_ids: [...new Set(panels.flatMap((panel) => panel.spec.widgetId ?? []))],
  }
}

/** Refuses a filter that is neither `true` nor `false`. */
export function isTrue(filters: ListQuery['filters'], name: string): boolean {
  const values = filterValues(filters, name)
  if (values.every((value) => value === 'true' || value === 'false')) return values[0] === 'true'
  throw fail('request.invalid', { field: `filters.${name}`, message: `filters.${name}: true or false` })
}

function matching(trx: Trx, actor: Holder, { search, filters }: ListQuery, orphans: readonly string[] | undefined) {
  mustKnowFilters(filters, ['tag', 'spaceId', 'owner', 'starred', 'deleted', 'orphaned'])
  const [isInTrash, isStarred] = [isTrue(filters, 'deleted'), isTrue(filters, 'starred')]
  const seen = orphans
    ? allDashboards(trx, actor).where('id', '=', sql<string>`any(${orphans}::text[])`)
    : seenDashboards(trx, actor)
  let found = isInTrash
    ? seen.where('deleted_at', 'is not', null).where(managedBy(actor))
    : seen.where('deleted_at', 'is', null)
  if (search) {
    const pattern = likePattern(search)
    found = found.where((where) =>
      where.or([
        where('display_name', 'ilike', pattern),
        where('description', 'ilike', pattern),
        where(sql<string>`array_to_string(tags, ' ')`, 'ilike', pattern),
      ]),
    )
  }
  const [tags, spaces, owners] = [
    filterValues(filters, 'tag'),
    filterValues(filters, 'spaceId'),
    filterValues(filters, 'owner'),
  ]
  if (tags.length > 0) found = found.where(sql<SqlBool>`tags && ${tags}::text[]`)
  if (spaces.length > 0) found = found.where(sql<SqlBool>`space_ids && ${spaces}::text[]`)
  if (owners.length > 0) {
    const ids = owners.map((owner) => (owner === 'me' ? actor.userId : owner))
    found = found.where(sql<SqlBool>`owner_id = any(${ids}::text[])`)
  }
  return isStarred ? found.where(starredBy(actor)) : found
}
