import { sql } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import { tablesIn, type UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import type { AccessGroup } from '../ports.ts'
import type { ActionRow, Tables } from '../tables.ts'

/** Groups and roles that a revision of an app granted: a rollback restores them, a failed upgrade leaves them. */
export function accessOfRevision(
  db: Db,
  tenantId: string,
  appId: string,
  revision: number | 'newest',
): Promise<AccessGroup[] | undefined> {
  return db.tenantOne<Tables, AccessGroup[] | undefined>(tenantId, async (trx) => {
    const all = trx.selectFrom('revision_access').select('groups').where('app_id', '=', appId)
    const one = revision === 'newest' ? all.orderBy('revision', 'desc').limit(1) : all.where('revision', '=', revision)
    return (await one.executeTakeFirst())?.groups
  })
}

/** More than Helm keeps, which is ten. */
const keptRevisions = 30

/** In the commit that makes the revision the deployed one. */
export async function keepAccess(
  trx: UnitOfWork,
  { tenant_id, app_id }: Pick<ActionRow, 'tenant_id' | 'app_id'>,
  revision: number,
  groups: readonly AccessGroup[],
): Promise<void> {
  if (app_id === null) return
  const ours = tablesIn<Tables>(trx)
  await ours
    .insertInto('revision_access')
    .values({ tenant_id, app_id, revision, groups: JSON.stringify(groups) })
    .onConflict((same) => same.columns(['app_id', 'revision']).doUpdateSet({ groups: sql`excluded.groups` }))
    .execute()
  // A release that somebody took away counts from 1 again; of one that goes on, Helm keeps the newest revisions alone.
  await ours
    .deleteFrom('revision_access')
    .where('app_id', '=', app_id)
    .where((where) =>
      where.or([
        where('revision', '>', revision),
        where('revision', 'not in', (all) =>
          all
            .selectFrom('revision_access')
            .select('revision')
            .where('app_id', '=', app_id)
            .orderBy('revision', 'desc')
            .limit(keptRevisions),
        ),
      ]),
    )
    .execute()
}

/** An app that is gone has no revisions to come back to. */
export async function forgetAccess(trx: UnitOfWork, appId: string): Promise<void> {
  await tablesIn<Tables>(trx).deleteFrom('revision_access').where('app_id', '=', appId).execute()
}

/** Tells whether two revisions let in the same groups with the same roles, in whatever order. */
export function isSameAccess(one: readonly AccessGroup[], other: readonly AccessGroup[]): boolean {
  const lines = (groups: readonly AccessGroup[]) =>
    groups
      .map(({ id, name, resourceRoles }) => JSON.stringify([id, name, [...resourceRoles].sort()]))
      .sort()
      .join('\n')
  return lines(one) === lines(other)
}
