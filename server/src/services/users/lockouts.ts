import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { role } from '@quayside/contract/http/policy'
import type { LockedAddress, Lockout, Unlocking } from '@quayside/contract/users/lockouts'
import { type Generated, type Selectable, sql } from 'kysely'
import type { Attempts } from '../../adapters/keycloak/attempts.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { Db } from '../../platform/db/db.ts'
import { fail } from '../../platform/http/errors.ts'
import { listReply, mustKnowFilters, mustNotSort } from '../../platform/http/listing.ts'
import type { People } from '../permissions/index.ts'
import type { Users } from './index.ts'

interface UnlockingTable {
  id: Generated<string>
  tenant_id: string
  at: Generated<Date>
  by_name: string
  by_id: string
  what: string
  about: string
  name: string
}
interface Tables {
  unlocking: UnlockingTable
}

const atOnce = 6

/** People and addresses that are locked out after too many wrong passwords, and the way out. */
export function createLockouts(db: Db, attempts: Attempts, users: Pick<Users, 'get'>, people: People) {
  /** Written down before it is done: no unlocking goes unrecorded. */
  async function write({ tenantId, username, userId }: Actor, what: Unlocking['what'], about: string, name: string) {
    const row = { tenant_id: tenantId, by_name: username, by_id: userId, what, about, name }
    await db.tenant<Tables, unknown>(tenantId, (trx) => trx.insertInto('unlocking').values(row).execute())
  }

  return {
    async of({ realm }: Actor, ids: readonly string[]): Promise<Lockout[]> {
      const found = await mapLimit(atOnce, [...new Set(ids)], (id) => attempts.lockoutOf(realm, id))
      return found.filter((lockout) => lockout !== undefined)
    },
    async unlockUser(actor: Actor, id: string): Promise<void> {
      const { username } = await users.get(actor.realm, id)
      if (!(await attempts.lockoutOf(actor.realm, id))) throw fail('iam.not-locked')
      // Unlocking again and again lifts the limit on guessing a password.
      await people.change(
        actor,
        { right: role('iam-users', 'users.edit'), kind: 'takes', about: id },
        async (judged) => {
          await judged.mustNotBeBelow(id)
          await write(actor, 'person', id, username)
          await attempts.forgetUser(actor.realm, id)
        },
      )
    },
    addresses: async ({ realm }: Actor): Promise<LockedAddress[]> => (await attempts.lockedAddresses(realm)) ?? [],
    async unlockAddress(actor: Actor, address: string): Promise<void> {
      const locked = await attempts.lockedAddresses(actor.realm)
      if (!locked) throw fail('iam.no-address-locks')
      if (!locked.some((each) => each.address === address)) throw fail('iam.not-locked')
      await write(actor, 'address', address, address)
      await attempts.forgetAddress(actor.realm, address)
    },
    async unlockings({ tenantId }: Actor, query: ListQuery, path: string): Promise<ListReply<Unlocking>> {
      mustKnowFilters(query.filters, [])
      mustNotSort(query.sort)
      const { skip, limit } = query.page
      const { rows, total } = await db.tenant<Tables, { rows: Selectable<UnlockingTable>[]; total: number }>(
        tenantId,
        async (trx) => {
          const count = trx.selectFrom('unlocking').select(sql<number>`count(*)::int`.as('total'))
          const { total } = await count.executeTakeFirstOrThrow()
          const page = trx.selectFrom('unlocking').selectAll().orderBy('id', 'desc').limit(limit).offset(skip)
          return { rows: await page.execute(), total }
        },
      )
      return listReply(rows.map(toUnlocking), total, query, path)
    },
  }
}
export type Lockouts = ReturnType<typeof createLockouts>

function toUnlocking({ id, at, by_name, what, about, name }: Selectable<UnlockingTable>): Unlocking {
  return { id, at: at.toISOString(), by: by_name, what: what as Unlocking['what'], about, name }
}
