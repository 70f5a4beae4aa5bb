import {
  mostPermissions,
  type NamedPrincipal,
  type Permission,
  type PermissionChange,
  type PermissionInput,
} from '@quayside/contract/permissions/permission-entry'
import { spaceRoles } from '@quayside/contract/permissions/scopes'
import { type Actor, holds } from '../../../platform/auth/actor.ts'
import type { Grantor } from '../../../platform/auth/escalation.ts'
import { forbidden } from '../../../platform/auth/rights.ts'
import { createLines } from '../../../platform/concurrency/lines.ts'
import type { Db } from '../../../platform/db/db.ts'
import { longId } from '../../../platform/db/ids.ts'
import { tablesIn, type UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Grantors } from '../rights/grantors.ts'
import { scopesOfGrant } from '../rights/grants.ts'
import { roleName } from '../roles/role-names.ts'
import type { Tables } from '../tables.ts'
import type { ActivePrincipals } from './active-principals.ts'
import {
  addEvent,
  definedRole,
  deleteEntry,
  type EntryRow,
  entriesOf,
  insertEntry,
  lockSpace,
  sweepEntries,
  type Trx,
  tellAccess,
  updateEntry,
} from './entry-store.ts'
import {
  type Holding,
  isLastOwner,
  isRaise,
  lastingOwner,
  type Refusal,
  refusalOfChange,
  refusalOfGrant,
} from './grant-rules.ts'
import { grantsTo, holdingBy } from './holding-now.ts'
import type { Given, Names } from './names.ts'
import { keyOf, principalOf } from './principals.ts'

interface EntriesDeps {
  db: Db
  grantorNow: Grantors['grantorNow']
  names: Names
  active: ActivePrincipals
}

/** A role of a space as it is given: its name and, when the tenant has defined it, its scopes. */
interface Role {
  id: string
  name: string
  scopes: string[] | null
}

/** An entry as somebody wants it. */
interface Wanted {
  principal: { type: 'user' | 'group' | 'role'; id: string }
  role: string
  owner: boolean
  expiresAt: Date | null
}

interface Granting {
  actor: Actor
  spaceId: string
  holding: Holding
  note?: string
  /** The space is being made: its maker, who owns it, stands on its list. */
  isBeginning?: boolean
}

/** The permission lists of spaces. Whoever changes one holds the lock of its space and is judged by what is so then. */
export function createEntries(deps: EntriesDeps) {
  const { db, grantorNow, names, active } = deps
  const { list, one } = createEntryReads(db, names)
  const inLine = createLines()
  // Somebody who waits in line is looked up when it is their turn, and holds no connection until then.
  const changing: Changing = (actor, spaceId, change) =>
    inLine(`${actor.tenantId} ${spaceId}`, () => changeList(deps, actor, spaceId, change))
  const named: Naming = (actor, principal, field) => nameOrFail(names, actor, principal, field)
  return {
    list,
    changing,
    grant,
    named,

    async add(actor: Actor, spaceId: string, input: PermissionInput): Promise<Permission> {
      const known = await named(actor, input.principal, 'principal.id')
      const id = await changing(actor, spaceId, async (trx, holding, entries) => {
        if (entries.length >= mostPermissions) throw fail('permission.too-many')
        const made = await grant(trx, { actor, spaceId, holding }, toWanted(input), known)
        if (made === undefined) throw fail('permission.exists', { field: 'principal.id' })
        return made
      })
      return one(actor, spaceId, id)
    },

    async change(actor: Actor, spaceId: string, input: PermissionChange): Promise<Permission> {
      const others = await otherOwners({ db, active }, actor, spaceId, input.id)
      await changing(actor, spaceId, async (trx, holding, entries) => {
        const entry = entries.find(({ id }) => id === input.id)
        if (!entry) throw fail('permission.not-found', { field: 'id' })
        refuse(refusalOfChange(holding, entry))
        const role = await roleOf(trx, input.role)
        const expiresAt = input.expiresAt === null ? null : new Date(input.expiresAt)
        mustLieAhead(expiresAt)
        const wanted = { role: role.id, scopes: role.scopes, owner: input.owner, expiresAt }
        refuse(refusalOfGrant(holding, wanted))
        if (entry.principal === ownKey(actor) && isRaise({ ...entry, expiresAt: entry.expires_at }, wanted))
          throw fail('permission.own')
        if (isLastOwner(entries.map(toOwner), entry.id, others, wanted))
          throw fail('permission.last-owner', { field: 'owner' })
        const changed = { role: role.id, owner: input.owner, expires_at: expiresAt }
        if (!(await updateEntry(trx, entry.id, changed))) throw fail('permission.exists', { field: 'role' })
        await addEvent(trx, { ...eventOf(actor, entry), ...changed, role: role.name, what: 'changed' })
      })
      return one(actor, spaceId, input.id)
    },

    async remove(actor: Actor, spaceId: string, id: string): Promise<void> {
      const others = await otherOwners({ db, active }, actor, spaceId, id)
      return changing(actor, spaceId, async (trx, holding, entries) => {
        const entry = entries.find((each) => each.id === id)
        if (!entry) throw fail('permission.not-found')
        refuse(refusalOfChange(holding, entry))
        if (isLastOwner(entries.map(toOwner), id, others)) throw fail('permission.last-owner')
        await deleteEntry(trx, id)
        await addEvent(trx, { ...eventOf(actor, entry), what: 'removed' })
      })
    },

    ...createBeginnings(grantorNow, named),
  }
}

type Naming = (
  actor: Actor,
  principal: Wanted['principal'],
  field: string,
) => Promise<Pick<NamedPrincipal, 'name' | 'detail'>>

/** The person who makes a space, and what those are called who stand on its list from the beginning. */
interface Beginning {
  grantor: Grantor
  called: readonly Pick<NamedPrincipal, 'name' | 'detail'>[]
}

/** The first entries of a space, which is being made. */
function createBeginnings(grantorNow: EntriesDeps['grantorNow'], named: Naming) {
  return {
    /** Before the transaction that makes a space: whoever makes it, as they are now, and what its first members are called. */
    async prepare(actor: Actor, members: readonly PermissionInput[]): Promise<Beginning> {
      const [grantor, called] = await Promise.all([
        grantorNow(actor),
        Promise.all(members.map(({ principal }, at) => named(actor, principal, `members.${at}.principal.id`))),
      ])
      if (!holds(grantor.actor, 'apps', 'apps.create')) throw forbidden([{ section: 'apps', role: 'apps.create' }])
      return { grantor, called }
    },
    /** In the transaction that makes a space: its maker owns and manages it, and gives what managers may give. */
    async begin(
      within: UnitOfWork,
      { actor, spaceId }: { actor: Actor; spaceId: string },
      members: readonly PermissionInput[],
      { grantor, called }: Beginning,
    ): Promise<void> {
      const trx = tablesIn<Tables>(within)
      const made = { role: 'manager', owner: true, expiresAt: null }
      const holding = holdingBy(grantor, [{ ...made, scopes: null }])
      const maker = { type: 'user', id: actor.userId } as const
      const here = { actor, spaceId, holding, isBeginning: true }
      await grant(trx, here, { ...made, principal: maker }, { name: actor.username, detail: null })
      for (const [at, member] of members.entries()) {
        const known = called[at] ?? { name: member.principal.id, detail: null }
        const id = await grant(trx, here, toWanted(member), known)
        if (id === undefined) throw fail('permission.exists', { field: `members.${at}.principal.id` })
      }
      await tellAccess(trx, actor.tenantId, spaceId)
    },
  }
}

export type Entries = ReturnType<typeof createEntries>

type Changing = <R>(
  actor: Actor,
  spaceId: string,
  change: (trx: Trx, holding: Holding, entries: EntryRow[]) => Promise<R>,
) => Promise<R>

/** Entries with what those are called who stand on them. */
function createEntryReads(db: Db, names: Names) {
  async function one(actor: Actor, spaceId: string, id: string): Promise<Permission> {
    const found = (await list(actor, spaceId)).find((entry) => entry.id === id)
    if (!found) throw fail('permission.not-found')
    return found
  }

  async function list(actor: Actor, spaceId: string): Promise<Permission[]> {
    const rows = await db.tenant<Tables, EntryRow[]>(actor.tenantId, (trx) => entriesOf(trx, spaceId))
    const about = rows.map(({ principal, principal_name: name, principal_detail: detail }) => ({
      ...principalOf(principal),
      ...{ name, detail },
    }))
    const grantors = rows.map(({ granted_by_id: id, granted_by: name }) => ({ id, name }))
    const [called, by] = await Promise.all([names.ofAll(actor.realm, about), names.people(actor.realm, grantors)])
    return rows.map((row, at) => toPermission(row, called[at] as NamedPrincipal, by(grantors[at] as Given).name))
  }

  return { list, one }
}

/**
 * Somebody who has waited for the lock of a list for longer than this is looked up anew, because they may have lost a role;
 * after each time for as long again, so that a busy machine comes to an end.
 */
const grantorFreshMs = 250
const waitedTooLong = Symbol('waited too long')

/** Runs with the list of a space locked, its ended entries gone, and what the caller holds in it. */
async function changeList<R>(
  { db, grantorNow }: Pick<EntriesDeps, 'db' | 'grantorNow'>,
  actor: Actor,
  spaceId: string,
  change: (trx: Trx, holding: Holding, entries: EntryRow[]) => Promise<R>,
): Promise<R> {
  for (let tries = 1; ; tries += 1) {
    // Before the transaction: whoever waits for the lock holds one connection, and not two.
    const grantor = await grantorNow(actor)
    const askedAt = performance.now()
    const result = await db.tenant<Tables, R | typeof waitedTooLong>(actor.tenantId, async (trx) => {
      if (!(await lockSpace(trx, spaceId))) throw fail('space.not-found')
      if (performance.now() - askedAt > grantorFreshMs * tries) return waitedTooLong
      await sweepEntries(trx, spaceId)
      const holding = holdingBy(grantor, await grantsTo(trx, grantor, spaceId))
      // They may have lost it since they were let in.
      if (!holding.until.has('space.members')) throw forbidden([{ scope: 'space.members' }])
      const result = await change(trx, holding, await entriesOf(trx, spaceId))
      await tellAccess(trx, actor.tenantId, spaceId)
      return result
    })
    if (result !== waitedTooLong) return result
  }
}

/** Puts an entry on a list that the caller has locked and may change. */
async function grant(
  trx: Trx,
  { actor, spaceId, holding, note, isBeginning = false }: Granting,
  wanted: Wanted,
  named: Pick<NamedPrincipal, 'name' | 'detail'>,
): Promise<string | undefined> {
  const role = await roleOf(trx, wanted.role)
  mustLieAhead(wanted.expiresAt)
  refuse(refusalOfGrant(holding, { ...wanted, role: role.id, scopes: role.scopes }))
  const isOwn = keyOf(wanted.principal) === ownKey(actor)
  if (isOwn && !isBeginning) throw fail('permission.own')
  const id = longId()
  const { tenantId: tenant_id, username: granted_by, userId: granted_by_id } = actor
  const principal = keyOf(wanted.principal)
  const said = { principal, principal_name: named.name, owner: wanted.owner, expires_at: wanted.expiresAt }
  const entry = { id, tenant_id, space_id: spaceId, ...said, principal_detail: named.detail, role: role.id }
  if (!(await insertEntry(trx, { ...entry, granted_by, granted_by_id }))) return undefined
  const by = { by_name: granted_by, by_id: granted_by_id }
  const event = { tenant_id, space_id: spaceId, ...said, ...by, role: role.name, note: note ?? null }
  await addEvent(trx, { ...event, what: 'granted' })
  return id
}

/** Owners beside an entry that are somebody now; nobody is asked about when the entry is no owner that lasts. */
async function otherOwners(
  { db, active }: Pick<EntriesDeps, 'db' | 'active'>,
  { tenantId, realm }: Actor,
  spaceId: string,
  id: string,
): Promise<ReadonlySet<string>> {
  const owners = (await db.tenant<Tables, EntryRow[]>(tenantId, (trx) => entriesOf(trx, spaceId)))
    .map(toOwner)
    .filter(lastingOwner)
  if (!owners.some((entry) => entry.id === id)) return new Set()
  const others = owners.filter((entry) => entry.id !== id).map(({ principal }) => principal)
  return active(realm, others)
}

async function nameOrFail(names: Names, actor: Actor, principal: Wanted['principal'], field: string) {
  const found = await names.of(actor.realm, principal)
  if (found) return found
  if (principal.type === 'user') throw fail('iam.user-not-found', { field })
  if (principal.type === 'group') throw fail('iam.group-not-found', { field })
  throw fail('iam.role-not-found', { field })
}

async function roleOf(trx: Trx, id: string): Promise<Role> {
  if (Object.hasOwn(spaceRoles, id)) return { id, name: spaceRoles[id as 'viewer'].name, scopes: null }
  const found = await definedRole(trx, id)
  if (!found) throw fail('space-role.not-found', { field: 'role' })
  return found
}

function mustLieAhead(expiresAt: Date | null): void {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now())
    throw fail('request.invalid', { field: 'expiresAt', message: 'expiresAt: lies in the past' })
}

function refuse(refusal: Refusal | undefined): void {
  if (refusal === undefined) return
  if (refusal.why === 'owner') throw fail('permission.owner-only')
  if (refusal.why === 'scope') throw fail('permission.escalation', { details: { scope: refusal.scope } })
  const until = refusal.until.toISOString()
  const message = `You hold this yourself until ${until}, and can give it for no longer.`
  throw fail('permission.escalation', { field: 'expiresAt', message, details: { until } })
}

function toWanted({ principal, role, owner, expiresAt }: PermissionInput): Wanted {
  return { principal, role, owner, expiresAt: expiresAt === null ? null : new Date(expiresAt) }
}

const toOwner = ({ id, principal, owner, expires_at }: EntryRow) => ({ id, principal, owner, expiresAt: expires_at })

const ownKey = ({ userId }: Actor) => keyOf({ type: 'user', id: userId })

function eventOf(actor: Actor, entry: EntryRow) {
  const { tenant_id, space_id, principal, principal_name, owner, expires_at } = entry
  const said = { tenant_id, space_id, principal, principal_name, owner, expires_at, note: null }
  return { ...said, by_name: actor.username, by_id: actor.userId, role: roleName(entry.role, entry.role_name) }
}

function toPermission(row: EntryRow, principal: NamedPrincipal, grantedByName: string): Permission {
  return {
    id: row.id,
    principal,
    role: { id: row.role, name: roleName(row.role, row.role_name) },
    scopes: scopesOfGrant(row),
    owner: row.owner,
    expiresAt: row.expires_at?.toISOString() ?? null,
    grantedBy: row.granted_by,
    grantedByName,
    grantedAt: row.granted_at.toISOString(),
  }
}
