import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import type { PersonRow, Tables } from './tables.ts'

interface Who {
  tenantId: string
  userId: string
}

const own = ({ tenantId: tenant_id, userId: user_id }: Who) => ({ tenant_id, user_id })

/** Somebody who looks for the first time has not missed what happened before the day. */
const firstDay = sql<Date>`now() - interval '1 day'`

/** Choices and marks of each person about what they were told. */
export function createPeopleStore(db: Db) {
  return {
    /** The person's choices, which begin when they look for the first time. */
    person: (who: Who): Promise<PersonRow> =>
      db.tenant<Tables, PersonRow>(who.tenantId, async (trx) => {
        const find = () =>
          trx.selectFrom('notification_person').selectAll().where('user_id', '=', who.userId).executeTakeFirst()
        const known = await find()
        if (known) return known
        await trx
          .insertInto('notification_person')
          .values({ ...own(who), read_before: firstDay })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return (await find()) as PersonRow
      }),

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

    readAll: (who: Who): Promise<void> =>
      db.tenant<Tables, void>(who.tenantId, async (trx) => {
        const read_before = sql<Date>`now()`
        await trx
          .insertInto('notification_person')
          .values({ ...own(who), read_before })
          .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet({ read_before }))
          .execute()
        await trx.deleteFrom('notification_mark').where('user_id', '=', who.userId).execute()
      }),

    mute: (who: Who, muted: string[]): Promise<unknown> =>
      db.tenantOne<Tables, unknown>(who.tenantId, (trx) =>
        trx
          .insertInto('notification_person')
          .values({ ...own(who), read_before: firstDay, muted })
          .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet({ muted }))
          .execute(),
      ),

    /** Removes marks of all tenants about what nobody is told any more. */
    forgetMarks: (days: number): Promise<unknown> =>
      db.platformOne<Tables, unknown>((trx) =>
        trx
          .deleteFrom('notification_mark')
          .where(sql<boolean>`at < now() - make_interval(days => ${days}::int)`)
          .execute(),
      ),
  }
}
export type PeopleStore = ReturnType<typeof createPeopleStore>
