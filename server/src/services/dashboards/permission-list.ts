import type {
  DashboardPermission,
  DashboardPermissionChange,
  DashboardPermissionInput,
} from '@quayside/contract/dashboards/permission-list'
import { type DashboardScope, dashboardScopes, mostDashboardPermissions } from '@quayside/contract/dashboards/rules'
import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import { sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import { type Grantor, lastingRoles } from '../../platform/auth/escalation.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { Db } from '../../platform/db/db.ts'
import { longId } from '../../platform/db/ids.ts'
import { Failure, fail } from '../../platform/http/errors.ts'
import { mustGiveHome } from './home-tags.ts'
import type { Find } from './index.ts'
import { seenDashboards } from './seen.ts'
import type { Trx } from './store.ts'
import type { PermissionRow, SeenDashboard, Tables } from './tables.ts'

type Name = Pick<NamedPrincipal, 'type' | 'id' | 'name' | 'detail'>
export interface Principals {
  principal(realm: string, principal: Pick<Name, 'type' | 'id'>): Promise<Name | undefined>
  search(realm: string, text: string, most: number): Promise<Name[]>
}

interface Ports {
  principals: Principals
  changed(tenantId: string): void
  /** Roles that somebody holds for a while, by their names; roles of clients as `client:role`. */
  endingRoles(person: Actor): Promise<Grantor['ends']>
}
const namesAtOnce = 6
const mostFound = 20

/** Entries with their names, and changes of a list that leave it a manager. */
function createLists(db: Db, find: Find, { principals, changed, endingRoles }: Ports) {
  async function named({ realm }: Actor, row: PermissionRow): Promise<DashboardPermission> {
    const { principal_type: type, principal_id: id } = row
    const found =
      type === 'everyone'
        ? { type, id, name: 'Everyone', detail: 'all people of the tenant' }
        : await principals.principal(realm, { type, id })
    return {
      id: row.id,
      principal: found ? { ...found, isGone: false } : { type, id, name: id, detail: null, isGone: true },
      scopes: dashboardScopes.filter((scope) => row.scopes.includes(scope)),
      grantedBy: row.granted_by,
      grantedAt: row.granted_at.toISOString(),
    }
  }

  async function list(actor: Actor, id: string) {
    await find(actor, id, 'dashboard.view')
    const rows = await db.tenant<Tables, PermissionRow[]>(actor.tenantId, (trx) => entries(trx, id))
    return { data: await mapLimit(namesAtOnce, rows, (row) => named(actor, row)) }
  }

  /** People who manage the dashboard by the list and whose account is gone; the caller's is there. */
  async function goneManagers(actor: Actor, id: string): Promise<ReadonlySet<string>> {
    const rows = await db.tenant<Tables, PermissionRow[]>(actor.tenantId, (trx) => entries(trx, id))
    const others = rows.filter((row) => isManager(row) && row.principal_id !== actor.userId)
    const gone = await mapLimit(namesAtOnce, others, async ({ principal_id }) =>
      (await principals.principal(actor.realm, { type: 'user', id: principal_id })) ? [] : [principal_id],
    )
    return new Set(gone.flat())
  }

  /** The caller without the roles that they hold for a while: what they give by those would outlast them. */
  async function lastingHolder(actor: Actor): Promise<Actor> {
    const ends = await endingRoles(actor)
    if (ends.size === 0) return actor
    const { realmRoles, resourceRoles } = actor
    return { ...actor, realmRoles: lastingRoles(realmRoles, ends), resourceRoles: lastingRoles(resourceRoles, ends) }
  }

  /** Runs a change of the list alone, and refuses what would leave the dashboard without a manager who is there. */
  async function change<R>(
    actor: Actor,
    id: string,
    run: (trx: Trx, rows: PermissionRow[], seen: SeenDashboard) => Promise<R>,
  ) {
    await find(actor, id, 'dashboard.share')
    const [gone, lasting] = [await goneManagers(actor, id), await lastingHolder(actor)]
    const result = await db.tenant<Tables, R>(actor.tenantId, async (trx) => {
      await trx.selectFrom('dashboards').select('id').where('id', '=', id).forUpdate().execute()
      // They may have lost it since they were let in.
      const seen = await seenDashboards(trx, actor).where('id', '=', id).executeTakeFirst()
      if (!seen || seen.deleted_at !== null) throw fail('dashboard.not-found')
      if (!seen.mine.includes('dashboard.share'))
        throw fail('dashboard.forbidden', { details: { scope: 'dashboard.share' } })
      const held = await seenDashboards(trx, lasting).where('id', '=', id).executeTakeFirst()
      const done = await run(trx, await entries(trx, id), { ...seen, mine: held?.mine ?? [] })
      const isManaged = (await entries(trx, id)).some((row) => isManager(row) && !gone.has(row.principal_id))
      if (!isManaged) throw fail('dashboard.last-manager')
      return done
    })
    changed(actor.tenantId)
    return result
  }

  async function mustExist({ realm }: Actor, { principal }: DashboardPermissionInput, field: string): Promise<void> {
    if (principal.type === 'everyone' || (await principals.principal(realm, principal))) return
    throw fail('request.invalid', { field, message: `${field}: there is no ${principal.type} with this id` })
  }

  return { named, list, change, mustExist }
}

/** Lists of who may do what with a dashboard. Nobody grants or takes away what they do not hold themselves. */
export function createPermissionLists(db: Db, find: Find, ports: Ports) {
  const { named, list, change, mustExist } = createLists(db, find, ports)
  return {
    list,

    async add(actor: Actor, id: string, input: DashboardPermissionInput): Promise<DashboardPermission> {
      await find(actor, id, 'dashboard.share')
      await mustExist(actor, input, 'principal.id')
      const row = await change(actor, id, async (trx, rows, { mine, tags }) => {
        mustHoldAll(mine, input.scopes)
        mustGiveHome(actor, tags)
        if (rows.length >= mostDashboardPermissions) throw fail('dashboard.too-many')
        const made = trx.insertInto('dashboard_permissions').values(rowOf(actor, id, input))
        const kept = await made
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
        if (!kept) throw fail('dashboard.permission-exists', { field: 'principal' })
        return kept
      })
      return named(actor, row)
    },

    async change(actor: Actor, id: string, input: DashboardPermissionChange) {
      if ('data' in input) await replace(actor, id, input.data)
      else
        await change(actor, id, async (trx, rows, { mine }) => {
          mustHoldAll(mine, [...entryOf(rows, input.id).scopes, ...input.scopes])
          const scopes = withView(input.scopes)
          await trx.updateTable('dashboard_permissions').set({ scopes }).where('id', '=', input.id).execute()
        })
      return list(actor, id).catch(emptyWhenHidden)
    },

    remove: (actor: Actor, id: string, entryId: string): Promise<void> =>
      change(actor, id, async (trx, rows, { mine }) => {
        mustHoldAll(mine, entryOf(rows, entryId).scopes)
        await trx.deleteFrom('dashboard_permissions').where('id', '=', entryId).execute()
      }),

    async search(actor: Actor, id: string, text: string) {
      await find(actor, id, 'dashboard.share')
      const found = await ports.principals.search(actor.realm, text, mostFound)
      return { data: found.map((name) => ({ ...name, isGone: false })) }
    },
  }

  /** Entries that stay as they are keep who gave them, and ask nothing of whoever sends them back. */
  async function replace(actor: Actor, id: string, inputs: readonly DashboardPermissionInput[]): Promise<void> {
    await find(actor, id, 'dashboard.manage')
    const duplicateAt = inputs.findIndex((input, at) => inputs.findIndex((one) => keyOf(one) === keyOf(input)) < at)
    if (duplicateAt >= 0) throw fail('dashboard.permission-exists', { field: `data.${duplicateAt}.principal` })
    const listed = new Set(
      (await db.tenant<Tables, PermissionRow[]>(actor.tenantId, (trx) => entries(trx, id))).map(keyOfRow),
    )
    await mapLimit(namesAtOnce, [...inputs.entries()], async ([at, input]) => {
      if (!listed.has(keyOf(input))) await mustExist(actor, input, `data.${at}.principal.id`)
    })
    await change(actor, id, async (trx, rows, { mine, tags }) => {
      const wanted = new Map(inputs.map((input) => [keyOf(input), withView(input.scopes)]))
      const there = new Map(rows.map((row) => [keyOfRow(row), row]))
      const removed = rows.filter((row) => !isSame(row.scopes, wanted.get(keyOfRow(row))))
      const added = inputs.filter((input) => !isSame(there.get(keyOf(input))?.scopes, wanted.get(keyOf(input))))
      mustHoldAll(mine, ['dashboard.manage', ...scopesThatChange(rows, inputs)])
      if (added.some((input) => !there.has(keyOf(input)))) mustGiveHome(actor, tags)
      const ids = removed.map((row) => row.id)
      await trx.deleteFrom('dashboard_permissions').where('id', '=', sql<string>`any(${ids}::text[])`).execute()
      for (const input of added)
        await trx
          .insertInto('dashboard_permissions')
          .values(rowOf(actor, id, input))
          .execute()
    })
  }
}

const entries = (trx: Trx, id: string): Promise<PermissionRow[]> =>
  trx
    .selectFrom('dashboard_permissions')
    .selectAll()
    .where('dashboard_id', '=', id)
    .orderBy('granted_at')
    .orderBy('id')
    .execute()

const isManager = ({ principal_type, scopes }: PermissionRow) =>
  principal_type === 'user' && scopes.includes('dashboard.manage')

const keyOf = ({ principal: { type, id } }: DashboardPermissionInput) => `${type} ${id}`
const keyOfRow = ({ principal_type, principal_id }: PermissionRow) => `${principal_type} ${principal_id}`
const isSame = (some: readonly string[] | undefined, others: readonly string[] | undefined) =>
  some?.length === others?.length && some?.every((scope) => others?.includes(scope)) === true

/** Scopes that somebody gets or loses when the list becomes this one. */
function scopesThatChange(
  rows: readonly PermissionRow[],
  inputs: readonly DashboardPermissionInput[],
): DashboardScope[] {
  const before = rows.flatMap((row) => row.scopes.map((scope) => `${row.principal_type} ${row.principal_id} ${scope}`))
  const after = inputs.flatMap(({ principal, scopes }) =>
    withView(scopes).map((scope) => `${principal.type} ${principal.id} ${scope}`),
  )
  const changed = [...before.filter((one) => !after.includes(one)), ...after.filter((one) => !before.includes(one))]
  return dashboardScopes.filter((scope) => changed.some((one) => one.endsWith(` ${scope}`)))
}

function entryOf(rows: readonly PermissionRow[], id: string): PermissionRow {
  const row = rows.find((one) => one.id === id)
  if (!row) throw fail('dashboard.permission-not-found')
  return row
}

function mustHoldAll(mine: readonly DashboardScope[], scopes: readonly DashboardScope[]): void {
  const lacking = scopes.find((scope) => !mine.includes(scope))
  if (lacking !== undefined) throw fail('dashboard.escalation', { field: 'scopes', details: { scope: lacking } })
}

/** Somebody who has taken their own view away sees nothing of the list any more. */
function emptyWhenHidden(error: unknown): { data: DashboardPermission[] } {
  if (error instanceof Failure && error.code === 'dashboard.not-found') return { data: [] }
  throw error
}

/** Nobody does something with a dashboard that they do not see. */
function withView(scopes: readonly DashboardScope[]): DashboardScope[] {
  return dashboardScopes.filter((scope) => scope === 'dashboard.view' || scopes.includes(scope))
}

function rowOf({ tenantId, username }: Actor, dashboardId: string, { principal, scopes }: DashboardPermissionInput) {
  return {
    ...{ id: longId(), tenant_id: tenantId, dashboard_id: dashboardId, granted_by: username },
    ...{ principal_type: principal.type, principal_id: principal.id, scopes: withView(scopes) },
  }
}
