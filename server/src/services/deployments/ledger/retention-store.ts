import { sql } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'

/** Rows that are removed in one transaction: few, so that others do not wait long for their locks. */
const atOnce = 200

/** Prepared values are large, and a wizard that was opened a week ago is not gone on with. */
const prepareDays = 8
/** Newest actions kept for an app that still exists, whatever their age: more than the revisions that Helm keeps. */
const keptOfApp = 50

/**
 * Removes ended actions with their lines when they are older than the ledger keeps them; their audit rows stay. The
 * newest of an app that was not deleted stay too: its revisions, its access and its secrets are read from them. True
 * when there may be more.
 */
export function forgetSome(db: Db, ledgerDays: number): Promise<boolean> {
  return db.platform(async (trx) => {
    const { rows } = await sql`
      delete from action where id in (
        select id from action as old
        where final_at < clock_timestamp() - make_interval(days => case when kind = 'Prepare' then ${prepareDays}::int else ${ledgerDays}::int end)
        and (
          kind = 'Prepare' or app_id is null
          or exists (select from action as gone
            where gone.app_id = old.app_id and gone.kind = 'Delete' and gone.state = 'Success')
          or (
            (select count(*) from action as newer
              where newer.app_id = old.app_id and newer.kind <> 'Prepare' and newer.accepted_at > old.accepted_at
            ) >= ${keptOfApp}
            and (kind <> 'Deploy' or exists (select from action as again
              where again.app_id = old.app_id and again.kind = 'Deploy' and again.accepted_at > old.accepted_at))
          )
        )
        order by final_at
        limit ${atOnce}
        for update skip locked
      ) returning id`.execute(trx)
    return rows.length === atOnce
  })
}
