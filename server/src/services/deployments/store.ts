import type { Action, PreparedVersion } from '@quayside/contract/deployments/endpoints'
import type { ActionSort } from '@quayside/contract/deployments/sorts'
import type { ListQuery } from '@quayside/contract/http/paging'
import { type Insertable, type RawBuilder, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { PlaceRow } from '../../platform/auth/places.ts'
import type { Reader } from '../../platform/auth/reader.ts'
import type { Db } from '../../platform/db/db.ts'
import { tablesIn, type UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { filterValues, likePattern, mustKnowFilters, orderOf } from '../../platform/http/listing.ts'
import { mayBeAborted, mayBeCancelled } from './commands/ending/cancel-store.ts'
import { noteMoment } from './ledger/action-moments.ts'
import type { ObjectName } from './ports.ts'
import type { ActionRow, ActionTable, Tables } from './tables.ts'

export type NewAction = Omit<Insertable<ActionTable>, 'fence' | 'attempt' | 'helm_place' | 'last_seq' | 'accepted_at'>

/** One more action and its first audit row, in the caller's transaction. */
export async function insertAction(trx: Transaction<Tables>, action: NewAction): Promise<ActionRow> {
  const row = await trx.insertInto('action').values(action).returningAll().executeTakeFirstOrThrow()
  await noteMoment(trx, row, 'accept', 'accepted')
  return row
}

/** For an action that begins and ends in one commit: stores the app it made and its second audit row. */
export async function completeAssign(within: UnitOfWork, action: ActionRow): Promise<void> {
  const trx = tablesIn<Tables>(within)
  await trx.updateTable('action').set({ app_id: action.app_id }).where('id', '=', action.id).execute()
  await trx.updateTable('action_audit').set({ app_id: action.app_id }).where('action_id', '=', action.id).execute()
  await noteMoment(trx, action, 'final', action.state)
}

export function findAction(db: Db, tenantId: string, id: string): Promise<ActionRow | undefined> {
  return one(db, tenantId, (all) => all.where('id', '=', id))
}

/**
 * The action of an app that a label of a revision names. Labels are what others may write: an action of another app has
 * not made it.
 */
export function findMaker(
  db: Db,
  tenantId: string,
  appId: string,
  label: string | undefined,
): Promise<ActionRow | undefined> {
  if (!label) return Promise.resolve(undefined)
  return one(db, tenantId, (all) => all.where('id', '=', label).where('app_id', '=', appId))
}

/** The action that somebody has sent under a key; keys of different people are different. */
export function findByKey(
  db: Db,
  { tenantId, userId }: { tenantId: string; userId: string },
  idemKey: string,
): Promise<ActionRow | undefined> {
  return one(db, tenantId, (all) => all.where('idem_key', '=', idemKey).where('started_by_id', '=', userId))
}

/** The action that stands in the way of another one of the same release or app. */
export function findRunning(
  db: Db,
  tenantId: string,
  { releaseKey, appId }: { releaseKey: string | null; appId: string | null },
): Promise<ActionRow | undefined> {
  return one(db, tenantId, (all) =>
    all
      .where('final_at', 'is', null)
      .where('kind', 'not in', ['Assign', 'Prepare'])
      .where((where) => where.or([where('release_key', '=', releaseKey), where('app_id', '=', appId)])),
  )
}

/** The last action of an app that its release tells of: preparing, repairing and changes beside the release are none. */
export function findNewestOfApp(db: Db, tenantId: string, appId: string): Promise<ActionRow | undefined> {
  const others = ['Prepare', 'Repair', 'ChangeWorkload'] as const
  return one(db, tenantId, (all) => all.where('app_id', '=', appId).where('kind', 'not in', others))
}

/** The newest attempt to install an app. */
export function findNewestDeploy(db: Db, tenantId: string, appId: string): Promise<ActionRow | undefined> {
  return one(db, tenantId, (all) => all.where('app_id', '=', appId).where('kind', '=', 'Deploy'))
}

/** Apps whose release an action works on, or that Helm was once started for. */
export async function findBegun(db: Db, tenantId: string, appIds: string[]): Promise<Set<string>> {
  if (appIds.length === 0) return new Set()
  const rows = await db.tenant<Tables, { app_id: string | null }[]>(tenantId, (trx) =>
    trx
      .selectFrom('action')
      .select('app_id')
      .distinct()
      .where('app_id', '=', sql<string>`any(${appIds}::text[])`)
      .where('kind', 'in', ['Deploy', 'Upgrade', 'Rollback'])
      .where((where) => where.or([where('final_at', 'is', null), where('attempt', '>', 0)]))
      .execute(),
  )
  return new Set(rows.flatMap(({ app_id }) => app_id ?? []))
}

/** The given actions that have not ended. */
export async function findUnended(db: Db, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = ids.length === 0 ? [] : await findActions(db, tenantId, [...ids])
  return new Set(found.flatMap(({ id, final_at }) => (final_at === null ? [id] : [])))
}

/**
 * Tells whether an action was ever about this space; one without a record of its own has only left its namespace
 * behind.
 */
export async function knowsSpace(
  db: Db,
  tenantId: string,
  { spaceId, namespace }: { spaceId: string; namespace: string },
): Promise<boolean> {
  const found = await one(db, tenantId, (all) =>
    all.where((where) =>
      where.or([
        where('space_id', '=', spaceId),
        where.and([where('kind', '=', 'DeleteSpace'), where('namespace', '=', namespace)]),
      ]),
    ),
  )
  return found !== undefined
}

/** Tells whether what a space has in a namespace is being removed, or was within these last seconds. */
export async function isBeingDeleted(db: Db, tenantId: string, namespace: string, seconds: number): Promise<boolean> {
  const since = sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`
  const found = await one(db, tenantId, (all) =>
    all
      .where('kind', 'in', ['DeleteSpace', 'LeaveCluster'])
      .where('namespace', '=', namespace)
      .where((where) => where.or([where('final_at', 'is', null), where('final_at', '>', since)])),
  )
  return found !== undefined
}

/** Tells whether somebody has asked for the removal of all that is in the namespace of a space on a cluster. */
export async function wasToGo(
  db: Db,
  tenantId: string,
  { namespace, clusterId }: { namespace: string; clusterId: string },
): Promise<boolean> {
  const found = await one(db, tenantId, (all) =>
    all
      .where('namespace', '=', namespace)
      .where((where) =>
        where.or([
          where('kind', '=', 'DeleteSpace'),
          where.and([where('kind', '=', 'LeaveCluster'), where('cluster_id', '=', clusterId)]),
        ]),
      ),
  )
  return found !== undefined
}

/** Clusters from which what a space has there is just being removed. */
export async function findLeaving(within: UnitOfWork, spaceId: string): Promise<ReadonlySet<string>> {
  const found = await tablesIn<Tables>(within)
    .selectFrom('action')
    .select('cluster_id')
    .where('kind', '=', 'LeaveCluster')
    .where('space_id', '=', spaceId)
    .where('final_at', 'is', null)
    .execute()
  return new Set(found.flatMap(({ cluster_id }) => cluster_id ?? []))
}

/** Actions by their ids, in no order. */
export function findActions(db: Db, tenantId: string, ids: string[]): Promise<ActionRow[]> {
  return db.tenantOne<Tables, ActionRow[]>(tenantId, (trx) =>
    trx.selectFrom('action').selectAll().where('id', '=', sql<string>`any(${ids}::text[])`).execute(),
  )
}

/** Rollbacks of an app that came to their end: Helm gives theirs the labels of the revision they went back to. */
export function findRollbacks(db: Db, tenantId: string, appId: string): Promise<ActionRow[]> {
  return db.tenantOne<Tables, ActionRow[]>(tenantId, (trx) =>
    trx
      .selectFrom('action')
      .selectAll()
      .where('app_id', '=', appId)
      .where('kind', '=', 'Rollback')
      .where('state', '=', 'Success')
      .execute(),
  )
}

/** The newest deletion of an app that did not get to its end. */
export function findLastDelete(db: Db, tenantId: string, appId: string): Promise<ActionRow | undefined> {
  return one(db, tenantId, (all) =>
    all.where('app_id', '=', appId).where('kind', '=', 'Delete').where('state', '=', 'Failed'),
  )
}

/** The objects of the app's release when its deletion was last begun. */
export async function findObjectsToGo(db: Db, tenantId: string, appId: string): Promise<ObjectName[]> {
  const last = await one(db, tenantId, (all) =>
    all.where('app_id', '=', appId).where('kind', '=', 'Delete').where('release_objects', 'is not', null),
  )
  return last?.release_objects ?? []
}

/** Ids of the actions of a release name that have not ended: spaces may have releases of the same name. */
export async function findRunningByRelease(db: Db, tenantId: string, releaseName: string): Promise<string[]> {
  const rows = await db.tenantOne<Tables, { id: string }[]>(tenantId, (trx) =>
    trx
      .selectFrom('action')
      .select('id')
      .where('release_name', '=', releaseName)
      .where('final_at', 'is', null)
      .orderBy('accepted_at')
      .execute(),
  )
  return rows.map(({ id }) => id)
}

/** The last few actions of a release name that the reader sees, newest first. */
export function findLastByRelease(db: Db, reader: Reader, releaseName: string): Promise<ActionRow[]> {
  return db.tenantOne<Tables, ActionRow[]>(reader.tenantId, (trx) =>
    trx
      .selectFrom('action')
      .selectAll()
      .where('release_name', '=', releaseName)
      .where(seenBy(reader))
      .orderBy('accepted_at', 'desc')
      .limit(5)
      .execute(),
  )
}

function one(
  db: Db,
  tenantId: string,
  narrow: (all: SelectQueryBuilder<Tables, 'action', ActionRow>) => SelectQueryBuilder<Tables, 'action', ActionRow>,
): Promise<ActionRow | undefined> {
  return db.tenantOne<Tables, ActionRow | undefined>(tenantId, (trx) =>
    narrow(trx.selectFrom('action').selectAll()).orderBy('accepted_at', 'desc').limit(1).executeTakeFirst(),
  )
}

/** Actions that lie in no space are those of who has started them. */
export const seenBy = ({ within, userId }: Reader) =>
  within
    ? sql<boolean>`(${within('action.space_id')} or (action.space_id is null and action.started_by_id = ${userId ?? null}))`
    : sql<boolean>`true`

/** Actions as things that lie in a space; one without a space is its starter's own. */
export const actionPlaces = (ids: readonly string[], userId: string): RawBuilder<PlaceRow> =>
  sql<PlaceRow>`select id, space_id, space_id is null and started_by_id = ${userId} as is_own, false as is_open
    from action where id = any(${ids}::text[])`

/** Everybody who has started an action that the reader sees. */
export async function findStarters(db: Db, reader: Reader): Promise<string[]> {
  const rows = await db.tenantOne<Tables, { started_by: string }[]>(reader.tenantId, (trx) =>
    trx.selectFrom('action').select('started_by').distinct().where(seenBy(reader)).orderBy('started_by').execute(),
  )
  return rows.map(({ started_by }) => started_by)
}

const sortable = {
  acceptedAt: 'accepted_at',
  finishedAt: 'final_at',
  appName: 'app_name',
  kind: 'kind',
} as const satisfies Record<ActionSort, string>
const filterColumns = {
  kind: 'kind',
  appId: 'app_id',
  spaceId: 'space_id',
  clusterId: 'cluster_id',
  releaseName: 'release_name',
  startedBy: 'started_by',
} as const

export function listActions(db: Db, reader: Reader, query: ListQuery): Promise<{ rows: ActionRow[]; total: number }> {
  return db.tenant<Tables, { rows: ActionRow[]; total: number }>(reader.tenantId, async (trx) => {
    const found = filtered(trx.selectFrom('action').selectAll().where(seenBy(reader)), query)
    const { total } = await found.clearSelect().select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
    let page = Object.keys(query.sort).length === 0 ? found.orderBy(sql`final_at is null`, 'desc') : found
    for (const [column, direction] of orderOf(query.sort, sortable, [['accepted_at', 'desc']]))
      page = page.orderBy(column === 'app_name' ? sql`lower(app_name)` : column, direction)
    const rows = await page.orderBy('id', 'desc').limit(query.page.limit).offset(query.page.skip).execute()
    return { rows, total }
  })
}

function filtered(
  all: SelectQueryBuilder<Tables, 'action', ActionRow>,
  { search, filters }: ListQuery,
): SelectQueryBuilder<Tables, 'action', ActionRow> {
  mustKnowFilters(filters, [...Object.keys(filterColumns), 'state'])
  let found = all
  if (search) {
    const pattern = likePattern(search)
    found = found.where((where) =>
      where.or([
        where('app_name', 'ilike', pattern),
        where('release_name', 'ilike', pattern),
        where('space_name', 'ilike', pattern),
        where('started_by', 'ilike', pattern),
        where('id', '=', search.trim()),
      ]),
    )
  }
  for (const [name, column] of Object.entries(filterColumns) as [
    keyof typeof filterColumns,
    (typeof filterColumns)[keyof typeof filterColumns],
  ][]) {
    const values = filterValues(filters, name)
    if (values.length > 0) found = found.where(sql`${sql.ref(column)} = any(${values}::text[])` as never)
  }
  const states = filterValues(filters, 'state')
  if (states.length > 0)
    found = found.where((where) =>
      where.or([
        sql<boolean>`state = any(${states}::text[])`,
        ...(states.includes('running') ? [where('final_at', 'is', null)] : []),
      ]),
    )
  return found
}

/** The action for the API. */
export function present(row: ActionRow, prepared: PreparedVersion | null): Action {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    running: row.final_at === null,
    cancellable: mayBeCancelled(row),
    abortable: mayBeAborted(row),
    abortedBy: row.aborted_by,
    leftBehind: row.left_behind,
    appId: row.app_id,
    appName: row.app_name,
    releaseName: row.release_name,
    namespace: row.namespace,
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    spaceId: row.space_id,
    spaceName: row.space_name,
    version: row.version,
    startedBy: row.started_by,
    idempotencyKey: row.idem_key,
    result: row.result,
    iamResult: row.iam_result,
    prepared,
    acceptedAt: row.accepted_at.toISOString(),
    finishedAt: row.final_at?.toISOString() ?? null,
    lastSeq: row.last_seq,
  }
}
