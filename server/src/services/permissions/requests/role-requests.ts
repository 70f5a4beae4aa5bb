import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { type AccessRequest, mostOpenRequests } from '@quayside/contract/permissions/access-requests'
import type { RoleAnswer, RoleGrant, RoleRequestInput } from '@quayside/contract/permissions/role-requests'
import type { z } from 'zod'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Db } from '../../../platform/db/db.ts'
import { longId } from '../../../platform/db/ids.ts'
import { fail } from '../../../platform/http/errors.ts'
import { listReply } from '../../../platform/http/listing.ts'
import type { Live } from '../../../platform/live/live.ts'
import { addEvent, type Trx } from '../members/entry-store.ts'
import type { Names } from '../members/names.ts'
import { roleName } from '../roles/role-names.ts'
import type { RoleGrantRow, Tables } from '../tables.ts'
import { answer, findRequest, findRolesToAnswer, insertRequest, lockRequest } from './request-store.ts'
import { createRequestReads, eventOf } from './requests.ts'
import { findGrants, grantOf } from './role-grant-store.ts'
import { inDirectory, type RoleGrants } from './role-grants.ts'

interface RoleRequestsDeps {
  db: Db
  names: Names
  grants: RoleGrants
  changed: Live['changed']
}

/** Somebody asks for a role of the tenant; who manages roles, and holds it, gives it for a while, or declines. */
export function createRoleRequests({ db, names, grants, changed }: RoleRequestsDeps) {
  const { named, shown } = createRequestReads(db, names)
  const tell = ({ tenantId }: Actor, id: string) => changed(tenantId, 'role-requests', id)

  return {
    async ask(actor: Actor, { role, reason, hours }: z.output<typeof RoleRequestInput>): Promise<AccessRequest> {
      const id = longId()
      const { tenantId: tenant_id, userId: person_id, username: person_name } = actor
      await db.tenant<Tables, void>(tenant_id, async (trx) => {
        // A holder for a while asks for longer.
        const isForAWhile = ((await grantOf(trx, person_id, role))?.expires_at ?? null) !== null
        if (actor.resourceRoles.has(inDirectory(role)) && !isForAWhile)
          throw fail('access-request.held', { field: 'role' })
        const row = { id, tenant_id, space_id: null, person_id, person_name, role, reason, hours }
        const fresh = { ...row, state: 'open', answered_by: null, answered_by_id: null, note: null }
        const made = await insertRequest(trx, fresh, mostOpenRequests)
        if (made === 'waiting') throw fail('access-request.waiting', { field: 'role' })
        if (made === 'too-many') throw fail('access-request.too-many')
        await addEvent(trx, { ...eventOf(actor, { ...row, note: reason }, roleName(role, null)), what: 'requested' })
      })
      tell(actor, id)
      return shown(actor, id)
    },

    async toAnswer(actor: Actor, query: ListQuery, path: string): Promise<ListReply<AccessRequest>> {
      const { rows, total } = await findRolesToAnswer(db, actor.tenantId, query)
      return listReply(await named(actor, rows), total, query, path)
    },

    async answer(
      actor: Actor,
      id: string,
      { decision, note, hours: given }: z.output<typeof RoleAnswer>,
    ): Promise<AccessRequest> {
      const asked = await findRequest(db, actor.tenantId, id)
      if (!asked || asked.space_id !== null) throw fail('access-request.not-found')
      if (asked.state !== 'open') throw fail('access-request.answered')
      if (asked.person_id === actor.userId)
        throw fail('permission.own', { message: 'Nobody answers their own request.' })
      const hours = given === undefined ? asked.hours : given
      const settle = async (trx: Trx) => {
        const waiting = await lockRequest(trx, id)
        if (waiting?.state !== 'open') throw fail('access-request.answered')
        const isGranted = decision === 'grant'
        await answer(trx, isGranted ? { ...waiting, hours } : waiting, isGranted ? 'granted' : 'declined', actor, note)
      }
      if (decision === 'grant') {
        const expiresAt = hours === null ? null : new Date(Date.now() + hours * 3_600_000)
        const person = { id: asked.person_id, name: asked.person_name }
        await grants.give(actor, { person, role: asked.role, expiresAt }, `Asked for: ${asked.reason}`, settle)
      } else {
        await grants.mustManage(actor)
        await db.tenant<Tables, void>(actor.tenantId, async (trx) => {
          await settle(trx)
          const event = eventOf(actor, { ...asked, note }, roleName(asked.role, null))
          await addEvent(trx, { ...event, what: 'declined' })
        })
      }
      tell(actor, id)
      return shown(actor, id)
    },

    async granted(actor: Actor, query: ListQuery, path: string): Promise<ListReply<RoleGrant>> {
      const { rows, total } = await findGrants(db, actor.tenantId, query)
      return listReply(await toGrants(names, actor, rows), total, query, path)
    },

    async end(actor: Actor, id: string): Promise<void> {
      await grants.end(actor, id)
      tell(actor, id)
    },
  }
}

async function toGrants(names: Names, { realm }: Actor, rows: readonly RoleGrantRow[]): Promise<RoleGrant[]> {
  const people = rows.flatMap((row) => [
    { id: row.person_id, name: row.person_name },
    { id: row.granted_by_id, name: row.granted_by },
  ])
  const called = await names.people(realm, people)
  return rows.map((row) => {
    const person = called({ id: row.person_id, name: row.person_name })
    return {
      id: row.id,
      person: { id: row.person_id, name: person.name, username: person.detail ?? row.person_name },
      role: { id: row.role, name: roleName(row.role, null) },
      expiresAt: row.expires_at?.toISOString() ?? null,
      grantedBy: row.granted_by,
      grantedByName: called({ id: row.granted_by_id, name: row.granted_by }).name,
      grantedAt: row.granted_at.toISOString(),
    }
  })
}
