import type { PersonalTokenSettings } from '@quayside/contract/personal-tokens/endpoints'
import { defaultLongestDays, tokenLimits } from '@quayside/contract/personal-tokens/limits'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import { longId } from '../../platform/db/ids.ts'
import type { Tables, TokenRow } from './tables.ts'

type NewToken = Pick<TokenRow, 'user_id' | 'name' | 'digest' | 'read_only' | 'space_ids'> & { days: number }

/** For these days people can see that a token has expired, and when it was used last. */
const keptDays = 30

const limitLock = (tenantId: string) => sql`hashtextextended(${`token limit of ${tenantId}`}, 0)`

/** Reads and writes personal tokens and their settings. */
export function createTokenStore(db: Db) {
  return {
    list: (tenantId: string, userId: string): Promise<TokenRow[]> =>
      db.tenantOne<Tables, TokenRow[]>(tenantId, (trx) =>
        trx.selectFrom('personal_token').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').execute(),
      ),

    /** Undefined when the person has too many. */
    add: (tenantId: string, { days, ...token }: NewToken): Promise<TokenRow | undefined> =>
      db.tenant<Tables, TokenRow | undefined>(tenantId, async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`tokens of ${token.user_id}`}, 0))`.execute(trx)
        const had = trx.selectFrom('personal_token').select(sql<number>`count(*)::int`.as('count'))
        const { count } = await had.where('user_id', '=', token.user_id).executeTakeFirstOrThrow()
        if (count >= tokenLimits.perPerson) return undefined
        // The limit stays as it is until this token is there: one that is shortened meanwhile finds it.
        await sql`select pg_advisory_xact_lock_shared(${limitLock(tenantId)})`.execute(trx)
        const longest = trx.selectFrom('personal_token_setting').select('longest_days')
        const expires_at = sql<Date>`now()
          + make_interval(days => least(${days}::int, coalesce((${longest}), ${defaultLongestDays}::int)))`
        return trx
          .insertInto('personal_token')
          .values({ id: longId(), tenant_id: tenantId, ...token, expires_at })
          .returningAll()
          .executeTakeFirstOrThrow()
      }),

    /** Returns the digest of the token that is gone; undefined when the person had no such token. */
    remove: (tenantId: string, userId: string, id: string): Promise<string | undefined> =>
      db.tenantOne<Tables, string | undefined>(tenantId, async (trx) => {
        const found = trx.deleteFrom('personal_token').where('user_id', '=', userId).where('id', '=', id)
        return (await found.returning('digest').executeTakeFirst())?.digest
      }),

    settings: (tenantId: string): Promise<PersonalTokenSettings> =>
      db.tenantOne<Tables, PersonalTokenSettings>(tenantId, async (trx) => {
        const row = await trx.selectFrom('personal_token_setting').selectAll().executeTakeFirst()
        return { enabled: row?.enabled ?? true, longestDays: row?.longest_days ?? defaultLongestDays }
      }),

    /** A shorter limit ends tokens for good: a longer one later does not bring them back. */
    setSettings: (tenantId: string, { enabled, longestDays }: PersonalTokenSettings): Promise<void> =>
      db.tenant<Tables, void>(tenantId, async (trx) => {
        await sql`select pg_advisory_xact_lock(${limitLock(tenantId)})`.execute(trx)
        const wanted = { enabled, longest_days: longestDays }
        await trx
          .insertInto('personal_token_setting')
          .values({ tenant_id: tenantId, ...wanted })
          .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(wanted))
          .execute()
        const limit = sql<Date>`greatest(now(), created_at + make_interval(days => ${longestDays}::int))`
        await trx.updateTable('personal_token').set({ expires_at: limit }).where('expires_at', '>', limit).execute()
      }),

    /** Removes those of all tenants that expired long ago. */
    forgetExpired: (): Promise<unknown> =>
      db.platformOne<Tables, unknown>((trx) =>
        trx
          .deleteFrom('personal_token')
          .where(sql<boolean>`expires_at < now() - make_interval(days => ${keptDays})`)
          .execute(),
      ),
  }
}
export type TokenStore = ReturnType<typeof createTokenStore>
