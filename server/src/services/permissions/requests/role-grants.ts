import { type RoleRef, roleName, roleOfId } from '@quayside/contract/permissions/roles'
import type { Transaction } from 'kysely'
import type { ClientRoles } from '../../../adapters/keycloak/client-roles.ts'
import { type Actor, holds } from '../../../platform/auth/actor.ts'
import { grantsOf, mayGrant } from '../../../platform/auth/escalation.ts'
import { forbidden } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Exclusive } from '../../../platform/db/exclusive.ts'
import { longId } from '../../../platform/db/ids.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { addEvent } from '../members/entry-store.ts'
import { roleName as wordsOf } from '../roles/role-names.ts'
import type { RoleGrantRow, Tables } from '../tables.ts'
import { beginGrant, deleteGrant, dueGrants, finishGrant, grantById, grantOf, timedRoles } from './role-grant-store.ts'

type Trx = Transaction<Tables>

export interface RoleGrantsDeps {
  db: Db
  log: Pick<Logger, 'warn'>
  exclusive: Exclusive
  clientRoles: ClientRoles
  /** The caller as the identity server knows them at this moment. */
  actorNow(token: string): Promise<Actor>
  /** Roles of clients that a person holds at this moment, as `client:role`; undefined for who is gone or disabled. */
  rolesNow(realm: string, userId: string): Promise<ReadonlySet<string> | undefined>
  realmOf(tenantId: string): Promise<string | undefined>
  /** A person's roles of the tenant have changed. */
  onChanged(tenantId: string, userId: string): void
}

/** A role for a person, until a time; null: until it is taken back. */
interface Wanted {
  person: { id: string; name: string }
  role: string
  expiresAt: Date | null
}

/** How a role stands with a person before it is given, and with what is inside it. */
interface Mapping {
  isMapped: boolean
  content: readonly string[]
  gained: string[]
}

/** Gives people roles of the tenant at the identity server, and takes back what has ended. */
export function createRoleGrants(deps: RoleGrantsDeps) {
  const { db, exclusive, clientRoles, rolesNow } = deps
  const { lookUp, mustMayGrant, begin } = createGrantSteps(deps)

  async function endDue(tenantId: string, id: string): Promise<void> {
    const realm = await deps.realmOf(tenantId)
    if (realm === undefined) return
    await exclusive(grantsOf(realm), async () => {
      // It may have been taken back, or made longer, meanwhile.
      const due = await db.tenant<Tables, RoleGrantRow[]>(tenantId, (trx) => dueGrants(trx))
      const row = due.find((each) => each.id === id)
      if (row) await takeBack(deps, realm, row, { by_name: null, by_id: null }, 'expired')
    })
  }

  return {
    /**
     * Gives a role, and does what goes with it in the same commit. Judged by the directory before the role is given and
     * again before the commit; nothing is left when either fails.
     */
    async give(actor: Actor, wanted: Wanted, note: string, settle: (trx: Trx) => Promise<void>): Promise<void> {
      const { realm, tenantId } = actor
      const { person } = wanted
      const ref = refOf(wanted.role)
      await exclusive(grantsOf(realm), async (mustBeAlone) => {
        const found = await lookUp(realm, ref)
        const content = await mustMayGrant(actor, ref, found)
        const before = await rolesNow(realm, person.id)
        if (!before) throw fail('iam.user-not-found')
        const gained = content.filter((name) => !before.has(name))
        // Before anything is written down: what is found unfinished is taken back.
        const isMapped = await clientRoles.isMapped(realm, person.id, found)
        const { id, isNew } = await begin(actor, wanted, { isMapped, content, gained })
        try {
          await clientRoles.map(realm, person.id, found)
          await db.tenant<Tables, void>(tenantId, async (trx) => {
            const before = await grantOf(trx, person.id, wanted.role)
            const expiresAt = isNew ? wanted.expiresAt : later(before?.expires_at ?? null, wanted.expiresAt)
            await finishGrant(trx, id, expiresAt)
            await addEvent(trx, { ...eventOf(actor, wanted, note, expiresAt), what: isNew ? 'granted' : 'changed' })
            await settle(trx)
            await mustMayGrant(actor, ref, found)
            await mustBeAlone()
          })
        } catch (error) {
          // One that cannot be taken back now is taken back by the sweep, which finds it unfinished.
          if (isNew) await clientRoles.unmap(realm, person.id, found)
          if (isNew) await db.tenant<Tables, void>(tenantId, (trx) => deleteGrant(trx, id))
          throw error
        }
      })
      deps.onChanged(tenantId, person.id)
    },

    /** Takes a role back before its time. */
    async end(actor: Actor, id: string): Promise<void> {
      const { realm, tenantId } = actor
      await exclusive(grantsOf(realm), async () => {
        await managing(deps, actor.token)
        const row = await db.tenant<Tables, RoleGrantRow | undefined>(tenantId, (trx) => grantById(trx, id))
        if (!row) throw fail('role-grant.not-found')
        await takeBack(deps, realm, row, { by_name: actor.username, by_id: actor.userId }, 'removed')
      })
    },

    /** Takes roles back that have ended, and those that were begun and never finished. */
    async sweep(): Promise<void> {
      for (const { id, tenant_id } of await db.platformOne<Tables, RoleGrantRow[]>((trx) => dueGrants(trx))) {
        // One that cannot be taken back now holds up no other one, least of all one of another tenant.
        await endDue(tenant_id, id).catch((error: unknown) =>
          deps.log.warn({ err: error, grantId: id }, 'a role that has ended is not taken back yet'),
        )
      }
    },

    /** Throws unless the caller manages roles at this moment. */
    mustManage: ({ token }: Actor) => managing(deps, token),
  }
}
export type RoleGrants = ReturnType<typeof createRoleGrants>

/** The parts of giving a role. */
function createGrantSteps(deps: Pick<RoleGrantsDeps, 'db' | 'clientRoles' | 'actorNow'>) {
  const { db, clientRoles } = deps

  async function lookUp(realm: string, ref: RoleRef) {
    const found = await clientRoles.find(realm, ref)
    if (!found) throw fail('iam.role-not-found')
    return found
  }
  type Found = Awaited<ReturnType<typeof lookUp>>

  /**
   * Throws unless the caller may hand this role out at this moment: by the directory, not by their token.
   * @returns the role of the client and those inside it, as `client:role`
   */
  async function mustMayGrant({ token }: Actor, ref: RoleRef, found: Found): Promise<readonly string[]> {
    const actor = await managing(deps, token)
    const content = await clientRoles.contentOf(actor.realm, ref, found)
    if (!mayGrant(actor, content))
      throw fail('auth.escalation', { details: { role: wordsOf(`${ref.section}:${ref.role}`, null) } })
    return content.resourceRoles
  }

  /** The role is written down before it is given, so that none lasts whose end is not known. */
  async function begin(
    actor: Actor,
    { person, role, expiresAt }: Wanted,
    { isMapped, content, gained }: Mapping,
  ): Promise<{ id: string; isNew: boolean }> {
    const { tenantId: tenant_id, username: granted_by, userId: granted_by_id } = actor
    return db.tenant<Tables, { id: string; isNew: boolean }>(tenant_id, async (trx) => {
      await mustOutlast(trx, actor, content, expiresAt)
      const before = await grantOf(trx, person.id, role)
      if (before) return { id: before.id, isNew: !before.is_final }
      if (isMapped) throw fail('access-request.held')
      const id = longId()
      const by = { granted_by, granted_by_id }
      await beginGrant(trx, { id, tenant_id, person_id: person.id, person_name: person.name, role, gained, ...by })
      return { id, isNew: true }
    })
  }

  return { lookUp, mustMayGrant, begin }
}

async function managing({ actorNow }: Pick<RoleGrantsDeps, 'actorNow'>, token: string): Promise<Actor> {
  const actor = await actorNow(token)
  if (!holds(actor, 'iam-users', 'users.roles.manage'))
    throw forbidden([{ section: 'iam-users', role: 'users.roles.manage' }])
  return actor
}

/** The identity server first: a role that could not be taken away there stays written down, and is tried again. */
async function takeBack(
  { db, clientRoles, onChanged }: RoleGrantsDeps,
  realm: string,
  row: RoleGrantRow,
  by: { by_name: string | null; by_id: string | null },
  what: 'removed' | 'expired',
): Promise<void> {
  const found = await clientRoles.find(realm, refOf(row.role))
  if (found) await clientRoles.unmap(realm, row.person_id, found)
  await db.tenant<Tables, void>(row.tenant_id, async (trx) => {
    await deleteGrant(trx, row.id)
    const principal = `user:${row.person_id}`
    const about = { principal, principal_name: row.person_name, role: wordsOf(row.role, null), owner: false }
    const event = { tenant_id: row.tenant_id, space_id: '', ...by, ...about, expires_at: row.expires_at, note: null }
    if (row.is_final) await addEvent(trx, { ...event, what })
  })
  onChanged(row.tenant_id, row.person_id)
}

/** Nobody gives for longer what they hold for a while themselves. */
async function mustOutlast(trx: Trx, actor: Actor, content: readonly string[], expiresAt: Date | null): Promise<void> {
  const ends = await timedRoles(trx, actor.userId)
  const until = content.flatMap((name) => ends.get(name) ?? []).sort((one, other) => Number(one) - Number(other))[0]
  if (until === undefined || (expiresAt !== null && expiresAt <= until)) return
  const message = `You hold this yourself until ${until.toISOString()}, and can give it for no longer.`
  throw fail('auth.escalation', { field: 'hours', message, details: { until: until.toISOString() } })
}

/** The later of two ends: a role that is granted again lasts longer by it, never shorter. */
function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return null
  return one > other ? one : other
}

function refOf(role: string): RoleRef {
  const ref = roleOfId(role)
  if (!ref) throw fail('iam.role-not-found')
  return ref
}

function eventOf(actor: Actor, { person, role }: Wanted, note: string, expiresAt: Date | null) {
  const by = { by_name: actor.username, by_id: actor.userId }
  const about = { principal: `user:${person.id}`, principal_name: person.name, role: wordsOf(role, null), owner: false }
  return { tenant_id: actor.tenantId, space_id: '', ...by, ...about, expires_at: expiresAt, note }
}

/** The role that a request is for, as the directory names it. */
export const inDirectory = (role: string): string => roleName(refOf(role))
