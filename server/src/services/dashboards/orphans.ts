import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { Db } from '../../platform/db/db.ts'
import { longId } from '../../platform/db/ids.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Principals } from './permission-list.ts'
import { allScopes, type DashboardStore, type Trx } from './store.ts'
import type { PermissionRow, Tables } from './tables.ts'

type Manager = Pick<PermissionRow, 'dashboard_id' | 'principal_type' | 'principal_id'>
const askedAtOnce = 6

interface Ports {
  principals: Pick<Principals, 'principal'>
  changed(tenantId: string): void
}

/** Dashboards that nobody manages any more, because the accounts, groups and roles that did are gone. */
export function createOrphans(db: Db, store: Pick<DashboardStore, 'one'>, { principals, changed }: Ports) {
  async function orphansAmong({ realm }: Actor, managers: readonly Manager[]): Promise<string[]> {
    const all = new Map(managers.map((row) => [keyOf(row), row]))
    const there = new Set<string>()
    await mapLimit(askedAtOnce, [...all], async ([key, { principal_type: type, principal_id: id }]) => {
      if (type === 'everyone' || (await principals.principal(realm, { type, id }))) there.add(key)
    })
    const managed = new Set(managers.filter((row) => there.has(keyOf(row))).map((row) => row.dashboard_id))
    return [...new Set(managers.map((row) => row.dashboard_id))].filter((id) => !managed.has(id))
  }

  return {
    async ids(actor: Actor): Promise<string[]> {
      return orphansAmong(actor, await db.tenant<Tables, Manager[]>(actor.tenantId, (trx) => managersOf(trx).execute()))
    },

    /** Makes the caller the owner and manager of a dashboard that has lost all of its managers. */
    async takeOver(actor: Actor, id: string): Promise<void> {
      const managers = await db.tenant<Tables, Manager[]>(actor.tenantId, (trx) =>
        managersOf(trx).where('p.dashboard_id', '=', id).execute(),
      )
      if ((await orphansAmong(actor, managers)).length === 0)
        throw fail((await store.one(actor, id)) ? 'dashboard.has-manager' : 'dashboard.not-found')
      await db.tenant<Tables, void>(actor.tenantId, (trx) => handTo(trx, actor, id, managers))
      changed(actor.tenantId)
    },
  }
}
export type Orphans = ReturnType<typeof createOrphans>

async function handTo(trx: Trx, actor: Actor, id: string, asked: readonly Manager[]): Promise<void> {
  await trx.selectFrom('dashboards').select('id').where('id', '=', id).forUpdate().execute()
  // Somebody else may have taken it over while the directory was asked.
  const known = new Set(asked.map(keyOf))
  const now = await managersOf(trx).where('p.dashboard_id', '=', id).execute()
  if (now.some((row) => !known.has(keyOf(row)))) throw fail('dashboard.has-manager')
  const { tenantId: tenant_id, userId: principal_id, username } = actor
  await trx
    .insertInto('dashboard_permissions')
    .values({
      ...{ id: longId(), tenant_id, dashboard_id: id, principal_type: 'user', principal_id },
      ...{ scopes: allScopes, granted_by: username },
    })
    .onConflict((conflict) => conflict.constraint('dashboard_permissions_once').doUpdateSet({ scopes: allScopes }))
    .execute()
  await trx.updateTable('dashboards').set({ owner_id: principal_id, owner: username }).where('id', '=', id).execute()
}

const keyOf = ({ principal_type, principal_id }: Manager) => `${principal_type} ${principal_id}`

const managersOf = (trx: Trx) =>
  trx
    .selectFrom('dashboard_permissions as p')
    .innerJoin('dashboards as d', 'd.id', 'p.dashboard_id')
    .select(['p.dashboard_id', 'p.principal_type', 'p.principal_id'])
    .where('d.deleted_at', 'is', null)
    .where(sql<SqlBool>`'dashboard.manage' = any(p.scopes)`)
