import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import {
  type AccessAnswer,
  type AccessRequest,
  type AccessRequestInput,
  mostOpenRequests,
} from '@quayside/contract/permissions/access-requests'
import { mostPermissions } from '@quayside/contract/permissions/permission-entry'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import type { Db } from '../../../platform/db/db.ts'
import { longId } from '../../../platform/db/ids.ts'
import { fail } from '../../../platform/http/errors.ts'
import { listReply } from '../../../platform/http/listing.ts'
import type { Live } from '../../../platform/live/live.ts'
import type { Entries } from '../members/entries.ts'
import { addEvent, definedRole, type EntryRow, entriesOf, type Trx, updateEntry } from '../members/entry-store.ts'
import type { Given, Names, PrincipalName } from '../members/names.ts'
import { roleName } from '../roles/role-names.ts'
import type { SpaceRoles } from '../roles/space-roles.ts'
import type { AccessRequestRow, Tables } from '../tables.ts'
import {
  answer,
  findMine,
  findRequest,
  findToAnswer,
  insertRequest,
  lockRequest,
  type RequestRow,
  withdraw,
} from './request-store.ts'

interface RequestsDeps {
  db: Db
  entries: Entries
  roles: SpaceRoles
  names: Names
  changed: Live['changed']
}

/** Somebody asks for a role in a space that they see; who may change its list grants it for a while, or declines. */
export function createRequests(deps: RequestsDeps) {
  const { db, roles, names, changed } = deps
  const reads = createRequestReads(db, names)
  const { named, shown } = reads
  const tell: Tell = ({ tenantId }, id, spaceId) =>
    spaceId === null ? changed(tenantId, 'role-requests', id) : changed(tenantId, 'requests', id, spaceId)

  return {
    async ask(actor: Actor, spaceId: string, input: AccessRequestInput): Promise<AccessRequest> {
      const role = (await roles.list(actor.tenantId)).find(({ id }) => id === input.role)
      if (!role) throw fail('space-role.not-found', { field: 'role' })
      const id = longId()
      const { tenantId: tenant_id, userId: person_id, username: person_name } = actor
      await db.tenant<Tables, void>(tenant_id, async (trx) => {
        const held = (await entriesOf(trx, spaceId)).some(
          (entry) => entry.principal === `user:${person_id}` && entry.role === role.id && entry.expires_at === null,
        )
        if (held) throw fail('access-request.held', { field: 'role' })
        const { reason, hours } = input
        const row = { id, tenant_id, space_id: spaceId, person_id, person_name, role: role.id, reason, hours }
        const made = await insertRequest(
          trx,
          { ...row, state: 'open', answered_by: null, answered_by_id: null, note: null },
          mostOpenRequests,
        )
        if (made === 'waiting') throw fail('access-request.waiting', { field: 'role' })
        if (made === 'too-many') throw fail('access-request.too-many')
        await addEvent(trx, { ...eventOf(actor, { ...row, note: reason }, role.name), what: 'requested' })
      })
      tell(actor, id, spaceId)
      return shown(actor, id)
    },

    async mine(
      actor: Actor,
      query: ListQuery,
      within: SpaceCondition | undefined,
      path: string,
    ): Promise<ListReply<AccessRequest>> {
      const { rows, total } = await findMine(db, actor.tenantId, actor.userId, query, within)
      return listReply(await named(actor, rows), total, query, path)
    },

    ...createAnswers(deps, reads, tell),

    async withdraw(actor: Actor, id: string): Promise<void> {
      const gone = await db.tenant<Tables, AccessRequestRow | undefined>(actor.tenantId, async (trx) => {
        const found = await withdraw(trx, id, actor.userId)
        if (found) {
          const role = roleName(found.role, (await definedRole(trx, found.role))?.name)
          await addEvent(trx, { ...eventOf(actor, { ...found, note: '' }, role), what: 'withdrawn' })
        }
        return found
      })
      if (gone) return tell(actor, id, gone.space_id)
      const other = await findRequest(db, actor.tenantId, id)
      throw fail(other?.person_id === actor.userId ? 'access-request.answered' : 'access-request.not-found')
    },
  }
}

type RequestReads = ReturnType<typeof createRequestReads>
type Tell = (actor: Actor, id: string, spaceId: string | null) => void

/** Requests for those who answer them. */
function createAnswers({ db, entries }: RequestsDeps, { named, shown }: RequestReads, tell: Tell) {
  return {
    async toAnswer(
      actor: Actor,
      query: ListQuery,
      within: SpaceCondition | undefined,
      path: string,
    ): Promise<ListReply<AccessRequest>> {
      const { rows, total } = await findToAnswer(db, actor.tenantId, query, within)
      return listReply(await named(actor, rows), total, query, path)
    },
    async answer(actor: Actor, id: string, { decision, note, ...given }: AccessAnswer): Promise<AccessRequest> {
      const asked = await findRequest(db, actor.tenantId, id)
      if (asked?.space_id == null) throw fail('access-request.not-found')
      const spaceId = asked.space_id
      const principal = { type: 'user', id: asked.person_id } as const
      const known = decision === 'grant' ? await entries.named(actor, principal, 'id') : undefined
      await entries.changing(actor, spaceId, async (trx, holding, list) => {
        const waiting = await lockRequest(trx, id)
        if (!waiting) throw fail('access-request.not-found')
        if (waiting.state !== 'open') throw fail('access-request.answered')
        const { role = waiting.role, hours = waiting.hours } = given
        const request = { ...waiting, role, hours }
        if (known) {
          const expiresAt = request.hours === null ? null : new Date(Date.now() + request.hours * 3_600_000)
          const wanted = { principal, role: request.role, owner: false, expiresAt }
          const said = { actor, spaceId, holding, note: `Asked for: ${request.reason}` }
          if (list.length >= mostPermissions) throw fail('permission.too-many')
          const made = await entries.grant(trx, said, wanted, known)
          if (made === undefined) await prolong(trx, actor, list, request, expiresAt)
        } else {
          const event = {
            ...eventOf(actor, { ...request, note }, roleName(asked.role, asked.role_name)),
            what: 'declined',
          }
          await addEvent(trx, event)
        }
        const isGranted = decision === 'grant'
        await answer(trx, isGranted ? request : waiting, isGranted ? 'granted' : 'declined', actor, note)
      })
      tell(actor, id, spaceId)
      return shown(actor, id)
    },
  }
}

/** The person holds the role already, for a while: what was granted makes it last longer, never shorter. */
async function prolong(
  trx: Trx,
  actor: Actor,
  list: EntryRow[],
  request: AccessRequestRow,
  expiresAt: Date | null,
): Promise<void> {
  const held = list.find(({ principal, role }) => principal === `user:${request.person_id}` && role === request.role)
  if (!held || held.expires_at === null) return
  if (expiresAt !== null && expiresAt <= held.expires_at) return
  // Ownership would last longer with it, which is more than was asked for.
  if (held.owner) throw fail('permission.exists')
  await updateEntry(trx, held.id, { role: held.role, owner: false, expires_at: expiresAt })
  const note = `Asked for: ${request.reason}`
  const event = eventOf(actor, { ...request, note }, roleName(held.role, held.role_name))
  await addEvent(trx, { ...event, what: 'changed', expires_at: expiresAt })
}

/** A line of the history of the space, or of roles of the tenant. */
export function eventOf(
  { username, userId }: Actor,
  {
    tenant_id,
    space_id,
    person_id,
    person_name,
    note,
  }: Pick<AccessRequestRow, 'tenant_id' | 'space_id' | 'person_id' | 'person_name' | 'note'>,
  role: string,
) {
  const by = { by_name: username, by_id: userId }
  const about = { principal: `user:${person_id}`, principal_name: person_name, role, owner: false, expires_at: null }
  return { tenant_id, space_id: space_id ?? '', ...by, ...about, note: note || null }
}

/** Both people of a request, as it was written down. */
const peopleOf = ({ person_id, person_name, answered_by, answered_by_id }: RequestRow): [Given, Given] => [
  { id: person_id, name: person_name },
  { id: answered_by_id, name: answered_by ?? '' },
]

function toRequest(row: RequestRow, called: (person: Given) => PrincipalName): AccessRequest {
  const [asks, answers] = peopleOf(row)
  const person = called(asks)
  return {
    id: row.id,
    space: row.space_id === null ? null : { id: row.space_id, displayName: row.space_name ?? '' },
    person: { id: row.person_id, name: person.name, username: person.detail ?? row.person_name },
    role: { id: row.role, name: roleName(row.role, row.role_name) },
    reason: row.reason,
    hours: row.hours,
    state: row.state as AccessRequest['state'],
    answeredBy: row.answered_by,
    answeredByName: row.answered_by === null ? null : called(answers).name,
    note: row.note,
    createdAt: row.created_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
  }
}

/** Requests with what those are called who asked and answered. */
export function createRequestReads(db: Db, names: Names) {
  async function named({ realm }: Actor, rows: readonly RequestRow[]): Promise<AccessRequest[]> {
    const called = await names.people(realm, rows.flatMap(peopleOf))
    return rows.map((row) => toRequest(row, called))
  }

  async function shown(actor: Actor, id: string): Promise<AccessRequest> {
    const row = await findRequest(db, actor.tenantId, id)
    if (!row) throw fail('access-request.not-found')
    return (await named(actor, [row]))[0] as AccessRequest
  }

  return { named, shown }
}
