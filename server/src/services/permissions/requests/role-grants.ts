import { type RoleRef, roleName, roleOfId } from '@quayside/contract/permissions/roles'
import type { Transaction } from 'kysely'
import type { ClientRoles } from '../../../adapters/keycloak/client-roles.ts'
import { type Actor, holds } from '../../../platform/auth/actor.ts'
import { type Grantor, grantsOf, mayGrant, mustEndBy } from '../../../platform/auth/escalation.ts'
import { forbidden } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Exclusive } from '../../../platform/db/exclusive.ts'
import { longId } from '../../../platform/db/ids.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { addEvent } from '../members/entry-store.ts'
import { roleName as wordsOf } from '../roles/role-names.ts'
import type { RoleGrantRow, Tables } from '../tables.ts'
import { beginGrant, deleteGrant, dueGrants, finishGrant, grantById, grantOf } from './role-grant-store.ts'

type Trx = Transaction<Tables>

export interface RoleGrantsDeps {
  db: Db
  log: Pick<Logger, 'info' | 'warn'>
  exclusive: Exclusive
  clientRoles: ClientRoles
  /** The caller as the identity server knows them at this moment. */
  grantorNow(actor: Actor): Promise<Grantor>
  /** Tells whether the person is there and enabled at this moment. */
  isActive(realm: string, userId: string): Promise<boolean>
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

const managesRoles = roleName({ section: 'iam-users', role: 'users.roles.manage' })

/** Gives people roles of the tenant at the identity server, and takes back what has ended. */
export function createRoleGrants(deps: RoleGrantsDeps) {
  const { db, exclusive, clientRoles, isActive } = deps
  const { lookUp, mustMayGrant, begin } = createGrantSteps(deps)

  async function endDue(tenantId: string, id: string): Promise<void> {
    const realm = await deps.realmOf(tenantId)
    if (realm === undefined) return
    await exclusive(grantsOf(realm), async () => {
      // It may have been taken back, or made longer, meanwhile.
      const due = await db.tenant<Tables, RoleGrantRow[]>(tenantId, (trx) => dueGrants(trx))
      const row = due.find((each) => each.id === id)
      if (row) await revoke(deps, realm, row, { by_name: null, by_id: null }, 'expired')
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
        await mustMayGrant(actor, wanted, found)
        if (!(await isActive(realm, person.id))) throw fail('iam.user-not-found')
        // Before anything is written down: what is found unfinished is taken back.
        const isMapped = await clientRoles.isMapped(realm, person.id, found)
        const { id, isNew } = await begin(actor, wanted, isMapped)
        try {
          await clientRoles.map(realm, person.id, found)
          await db.tenant<Tables, void>(tenantId, async (trx) => {
            const before = await grantOf(trx, person.id, wanted.role)
            const expiresAt = isNew ? wanted.expiresAt : later(before?.expires_at ?? null, wanted.expiresAt)
            await finishGrant(trx, id, expiresAt)
            await addEvent(trx, { ...eventOf(actor, wanted, note, expiresAt), what: isNew ? 'granted' : 'changed' })
            await settle(trx)
            await mustMayGrant(actor, wanted, found)
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
        const grantor = await managing(deps, actor)
        const row = await db.tenant<Tables, RoleGrantRow | undefined>(tenantId, (trx) => grantById(trx, id))
        if (!row) throw fail('role-grant.not-found')
        await mustHoldWhatItGives(deps, grantor, row.role)
        await revoke(deps, realm, row, { by_name: actor.username, by_id: actor.userId }, 'removed')
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
    mustManage: async (actor: Actor) => void (await managing(deps, actor)),
  }
}
export type RoleGrants = ReturnType<typeof createRoleGrants>

/** The parts of giving a role. */
function createGrantSteps(deps: Pick<RoleGrantsDeps, 'db' | 'clientRoles' | 'grantorNow'>) {
  const { db, clientRoles } = deps

  async function lookUp(realm: string, ref: RoleRef) {
    const found = await clientRoles.find(realm, ref)
    if (!found) throw fail('iam.role-not-found')
    return found
  }
  type Found = Awaited<ReturnType<typeof lookUp>>

  /** Throws unless the caller may hand this role out for so long at this moment: by the directory, not by their token. */
  async function mustMayGrant(caller: Actor, { role, expiresAt }: Wanted, found: Found): Promise<void> {
    const { actor, ends } = await managing(deps, caller)
    const content = await clientRoles.contentOf(actor.realm, refOf(role), found)
    if (!mayGrant(actor, content)) throw fail('auth.escalation', { details: { role: wordsOf(role, null) } })
    for (const name of [managesRoles, ...content.realmRoles, ...content.resourceRoles])
      mustEndBy(ends.get(name), expiresAt, 'hours')
  }

  /** The role is written down before it is given, so that none lasts whose end is not known. */
  async function begin(
    actor: Actor,
    { person, role }: Wanted,
    isMapped: boolean,
  ): Promise<{ id: string; isNew: boolean }> {
    const { tenantId: tenant_id, username: granted_by, userId: granted_by_id } = actor
    return db.tenant<Tables, { id: string; isNew: boolean }>(tenant_id, async (trx) => {
      const before = await grantOf(trx, person.id, role)
      if (before) return { id: before.id, isNew: !before.is_final }
      if (isMapped) throw fail('access-request.held')
      const id = longId()
      const by = { granted_by, granted_by_id }
      await beginGrant(trx, { id, tenant_id, person_id: person.id, person_name: person.name, role, ...by })
      return { id, isNew: true }
    })
  }

  return { lookUp, mustMayGrant, begin }
}

async function managing({ grantorNow }: Pick<RoleGrantsDeps, 'grantorNow'>, caller: Actor): Promise<Grantor> {
  const grantor = await grantorNow(caller)
  if (!holds(grantor.actor, 'iam-users', 'users.roles.manage'))
    throw forbidden([{ section: 'iam-users', role: 'users.roles.manage' }])
  return grantor
}

/** Somebody takes away what they could have given; a role that is not there any more is anybody's to take. */
async function mustHoldWhatItGives({ clientRoles }: Pick<RoleGrantsDeps, 'clientRoles'>, by: Grantor, role: string) {
  const { actor } = by
  const found = await clientRoles.find(actor.realm, refOf(role))
  if (!found || mayGrant(actor, await clientRoles.contentOf(actor.realm, refOf(role), found))) return
  const words = wordsOf(role, null)
  const message = `You do not hold all of ${words}, so you cannot take it back: somebody who holds it has to do this.`
  throw fail('auth.escalation', { message, details: { role: words } })
}

/** The identity server first: a role that could not be taken away there stays written down, and is tried again. */
async function revoke(
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
