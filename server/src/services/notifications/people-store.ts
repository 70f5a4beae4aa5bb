import { sql, type Transaction } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import type { PersonRow, Tables } from './tables.ts'

interface Who {
  tenantId: string
  userId: string
}

const own = ({ tenantId: tenant_id, userId: user_id }: Who) => ({ tenant_id, user_id })

/** On the first visit, notices older than a day count as read. */
const firstDay = sql<Date>`now() - interval '1 day'`

/** Choices and marks of each person about what they were told. */
export function createPeopleStore(db: Db) {
  return {
    /** The person's choices, which begin when they look for the first time. */
    async person(who: Who): Promise<PersonRow> {
      const find = (trx: Transaction<Tables>) =>
        trx.selectFrom('notification_person').selectAll().where('user_id', '=', who.userId).executeTakeFirst()
      const known = await db.tenantOne<Tables, PersonRow | undefined>(who.tenantId, find)
      if (known) return known
      return db.tenant<Tables, PersonRow>(who.tenantId, async (trx) => {
        await trx
          .insertInto('notification_person')
          .values({ ...own(who), read_before: firstDay })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return (await find(trx)) as PersonRow
      })
    },

    marks: async (who: Who): Promise<ReadonlyMap<string, boolean>> => {
      const rows = await db.tenantOne<Tables, { notice_id: string; is_read: boolean }[]>(who.tenantId, (trx) =>
        trx
          .selectFrom('notification_mark')
          .select(['notice_id', 'is_read'])
          .where('user_id', '=', who.userId)
          .execute(),
      )
      return new Map(rows.map(({ notice_id, is_read }) => [notice_id, is_read]))
    },

    mark: (who: Who, notice_id: string, is_read: boolean): Promise<unknown> =>
      db.tenantOne<Tables, unknown>(who.tenantId, (trx) =>
        trx
          .insertInto('notification_mark')
          .values({ ...own(who), notice_id, is_read })
          .onConflict((conflict) =>
            conflict.columns(['tenant_id', 'user_id', 'notice_id']).doUpdateSet({ is_read, at: sql<Date>`now()` }),
          )
          .execute(),
      ),

    /** @param marked notices that are read by a mark of their own, whatever their time */
    readAll: (who: Who, marked: readonly string[]): Promise<void> =>
      db.tenant<Tables, void>(who.tenantId, async (trx) => {
        const read_before = sql<Date>`now()`
        await trx
          .insertInto('notification_person')
          .values({ ...own(who), read_before })
          .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet({ read_before }))
          .execute()
        await trx.deleteFrom('notification_mark').where('user_id', '=', who.userId).execute()
        if (marked.length === 0) return
        await trx
          .insertInto('notification_mark')
          .values(marked.map((notice_id) => ({ ...own(who), notice_id, is_read: true })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }),

    mute: (who: Who, muted: string[]): Promise<unknown> =>
      db.tenantOne<Tables, unknown>(who.tenantId, (trx) =>
        trx
          .insertInto('notification_person')
          .values({ ...own(who), read_before: firstDay, muted })
          .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet({ muted }))
          .execute(),
      ),

    /** Removes marks of all tenants about what nobody is told any more; an outage is told for as long as it is kept. */
    forgetMarks: (days: number): Promise<unknown> =>
      db.platformOne<Tables, unknown>((trx) =>
        trx
          .deleteFrom('notification_mark')
          .where(sql<boolean>`at < now() - make_interval(days => ${days}::int)`)
          .where(sql<boolean>`not exists (select from app_outage o where o.id = split_part(notice_id, '-', 1))`)
          .execute(),
      ),
  }
}
export type PeopleStore = ReturnType<typeof createPeopleStore>
