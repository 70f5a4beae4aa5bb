import type { ListQuery } from '@quayside/contract/http/paging'
import { type Insertable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { PlaceQuery, PlaceRow } from '../../../platform/auth/places.ts'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import { filterValues, mustKnowFilters, mustNotSort } from '../../../platform/http/listing.ts'
import type { AccessRequestRow, AccessRequestTable, Tables } from '../tables.ts'

type Trx = Transaction<Tables>

export type RequestRow = AccessRequestRow & { space_name: string | null; role_name: string | null }

/** Answered requests are kept for this long. */
const keptDays = 90

/** Requests for roles in spaces, as things that lie there; everybody knows of their own ones. */
export const requestPlaces: PlaceQuery = (ids, userId): RawBuilder<PlaceRow> =>
  sql<PlaceRow>`select id, space_id, false as is_own, person_id = ${userId} as is_open
    from access_request where id = any(${ids}::text[]) and space_id is not null`

/** Undefined when the person waits for an answer to the same already, `too-many` when for too many. */
export async function insertRequest(
  trx: Trx,
  row: Insertable<AccessRequestTable>,
  most: number,
): Promise<'made' | 'waiting' | 'too-many'> {
  await sql`select pg_advisory_xact_lock(hashtext(${`requests ${row.tenant_id} ${row.person_id}`}))`.execute(trx)
  const open = trx.selectFrom('access_request').select('id').where('state', '=', 'open')
  if ((await open.where('person_id', '=', row.person_id).execute()).length >= most) return 'too-many'
  const made = trx.insertInto('access_request').values(row).returning('id')
  return (await made.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()) ? 'made' : 'waiting'
}

const shown = (trx: Trx) =>
  trx
    .selectFrom('access_request')
    .leftJoin('spaces', 'spaces.id', 'access_request.space_id')
    .leftJoin('space_role', 'space_role.id', 'access_request.role')
    .selectAll('access_request')
    .select(['spaces.display_name as space_name', 'space_role.name as role_name'])

export function findRequest(db: Db, tenantId: string, id: string): Promise<RequestRow | undefined> {
  return db.tenantOne<Tables, RequestRow | undefined>(tenantId, (trx) =>
    shown(trx).where('access_request.id', '=', id).executeTakeFirst(),
  )
}

/** A request that nobody else answers until the end of the transaction. */
export function lockRequest(trx: Trx, id: string): Promise<AccessRequestRow | undefined> {
  return trx.selectFrom('access_request').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** A granted request names what was given, which may be another role or time than was asked for. */
export async function answer(
  trx: Trx,
  { id, role, hours }: Pick<AccessRequestRow, 'id' | 'role' | 'hours'>,
  state: 'granted' | 'declined',
  by: Pick<Actor, 'username' | 'userId'>,
  note: string,
) {
  const said = {
    state,
    answered_by: by.username,
    answered_by_id: by.userId,
    note: note || null,
    answered_at: sql<Date>`clock_timestamp()` as never,
  }
  const change = { role, hours, ...said }
  await trx.updateTable('access_request').set(change).where('id', '=', id).execute()
}

/** An open request of the person's own; undefined when there is none of this id. */
export function withdraw(trx: Trx, id: string, personId: string): Promise<AccessRequestRow | undefined> {
  return trx
    .deleteFrom('access_request')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst()
}

export function findOpenRequest(
  db: Db,
  tenantId: string,
  personId: string,
  about: { spaceId: string } | { tenantRoles: readonly string[] },
): Promise<string | undefined> {
  return db.tenantOne<Tables, string | undefined>(tenantId, async (trx) => {
    const open = trx.selectFrom('access_request').select('id').where('state', '=', 'open')
    const wanted =
      'spaceId' in about
        ? open.where('space_id', '=', about.spaceId)
        : open.where('space_id', 'is', null).where('role', 'in', ['', ...about.tenantRoles])
    const mine = wanted.where('person_id', '=', personId)
    return (await mine.orderBy('created_at').limit(1).executeTakeFirst())?.id
  })
}

type Found = { rows: RequestRow[]; total: number }

/** A person's own requests, newest first: in spaces that they still see, and for roles of the tenant. */
export function findMine(
  db: Db,
  tenantId: string,
  personId: string,
  query: ListQuery,
  within: SpaceCondition | undefined,
): Promise<Found> {
  mustKnowFilters(query.filters, [])
  mustNotSort(query.sort)
  return db.tenant<Tables, Found>(tenantId, (trx) => {
    const mine = shown(trx).where('access_request.person_id', '=', personId)
    return pageOf(inSpaces(mine, within && orOfTenant(within)), query, 'desc')
  })
}

/** Requests that wait for an answer, oldest first, in spaces whose members the caller may change. */
export function findToAnswer(
  db: Db,
  tenantId: string,
  query: ListQuery,
  within: SpaceCondition | undefined,
): Promise<Found> {
  mustKnowFilters(query.filters, ['spaceId'])
  mustNotSort(query.sort)
  return db.tenant<Tables, Found>(tenantId, (trx) => {
    const open = openOnes(trx).where('access_request.space_id', 'is not', null)
    const spaceIds = filterValues(query.filters, 'spaceId')
    const wanted = spaceIds.length > 0 ? open.where('access_request.space_id', 'in', spaceIds) : open
    return pageOf(inSpaces(wanted, within), query, 'asc')
  })
}

/** Requests for roles of the tenant that wait for an answer, oldest first. */
export function findRolesToAnswer(db: Db, tenantId: string, query: ListQuery): Promise<Found> {
  mustKnowFilters(query.filters, [])
  mustNotSort(query.sort)
  return db.tenant<Tables, Found>(tenantId, (trx) => {
    const open = openOnes(trx).where('access_request.space_id', 'is', null)
    return pageOf(inSpaces(open, undefined), query, 'asc')
  })
}

const openOnes = (trx: Trx) => shown(trx).where('access_request.state', '=', 'open')

const orOfTenant =
  (within: SpaceCondition): SpaceCondition =>
  (column) =>
    sql<SqlBool>`(${sql.ref(column)} is null or ${within(column)})`

type Query = SelectQueryBuilder<Tables, 'access_request' | 'spaces' | 'space_role', RequestRow>

function inSpaces(found: ReturnType<typeof shown>, within: SpaceCondition | undefined): Query {
  const rows = found as unknown as Query
  return within ? rows.where(within('access_request.space_id') as RawBuilder<SqlBool>) : rows
}

async function pageOf(found: Query, { page }: ListQuery, order: 'asc' | 'desc'): Promise<Found> {
  const counted = found.clearSelect().select(sql<number>`count(*)::int`.as('total'))
  const { total } = await counted.$castTo<{ total: number }>().executeTakeFirstOrThrow()
  const ordered = found.orderBy('access_request.created_at', order).orderBy('access_request.id')
  return { rows: await ordered.limit(page.limit).offset(page.skip).execute(), total }
}

/** Answers that nobody needs any more. */
export async function forgetRequests(trx: Trx): Promise<void> {
  const old = sql<SqlBool>`answered_at < clock_timestamp() - make_interval(days => ${keptDays})`
  await trx.deleteFrom('access_request').where(old).execute()
}
