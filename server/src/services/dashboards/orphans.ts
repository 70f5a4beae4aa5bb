import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Db } from '../../platform/db/db.ts'
import { longId } from '../../platform/db/ids.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Manager, Presence } from './presence.ts'
import { allScopes, type DashboardStore, mayOwnOneMore, type Trx } from './store.ts'
import type { Tables } from './tables.ts'

interface Ports {
  presence: Pick<Presence, 'orphansAmong'>
  changed(tenantId: string): void
}

/** Dashboards that nobody manages any more, because the accounts, groups and roles that did are gone. */
export function createOrphans(db: Db, store: Pick<DashboardStore, 'one'>, { presence, changed }: Ports) {
  return {
    async ids(actor: Actor): Promise<string[]> {
      const managers = await db.tenant<Tables, Manager[]>(actor.tenantId, (trx) => candidates(trx, actor).execute())
      return presence.orphansAmong(actor, managers, 'lately')
    },

    /** Makes the caller the owner and manager of a dashboard that has lost all of its managers. */
    async takeOver(actor: Actor, id: string): Promise<void> {
      const managers = await db.tenant<Tables, Manager[]>(actor.tenantId, (trx) =>
        managersOf(trx).where('p.dashboard_id', '=', id).execute(),
      )
      if ((await presence.orphansAmong(actor, managers, 'now')).length === 0)
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
  if (!(await mayOwnOneMore(trx, actor.tenantId, actor.userId)))
    throw fail('dashboard.too-many', { message: 'You cannot own more dashboards.' })
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

/** Managers of the dashboards that may have none who is there: neither everyone nor the caller manages them. */
const candidates = (trx: Trx, { userId }: Actor) =>
  managersOf(trx).where(
    sql<SqlBool>`not exists (select from dashboard_permissions m where m.dashboard_id = d.id
      and 'dashboard.manage' = any(m.scopes)
      and (m.principal_type = 'everyone' or (m.principal_type = 'user' and m.principal_id = ${userId})))`,
  )
