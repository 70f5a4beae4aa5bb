import { Problem } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'

/** An attribute of a role of which somebody has to hold it at any time, such as that of the administrators. */
const lastHolderStays = 'quayside.last-holder-stays'

interface KeptRole {
  id: string
  name: string
}

/**
 * Tells whether an enabled person, not a script, holds the role: directly, by a group or a group above it, inside
 * another role.
 */
async function isHeld(db: Db, roleId: string): Promise<boolean> {
  const row = await db.row(
    `with recursive
     carriers as (
       select $1::text as id
       union
       select c.parent from role_composite c join carriers k on k.id = c.child
     ),
     teams as (
       select group_id as id from group_role where role_id in (select id from carriers)
       union
       select g.id from user_group g join teams t on g.parent = t.id
     )
     select 1 from user_account u
     where u.enabled and u.service_client is null and (
       exists (select 1 from user_role r where r.user_id = u.id and r.role_id in (select id from carriers))
       or exists (select 1 from group_member m where m.user_id = u.id and m.group_id in (select id from teams))
     ) limit 1`,
    [roleId],
  )
  return row !== undefined
}

/**
 * Makes a change in a realm and takes it back when it would leave a role without a holder that has to have one. Changes
 * that can take something away come one after the other, so that two of them cannot remove the last two holders.
 */
export async function keepingLastHolders<T>(db: Db, realmId: string, change: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.run("select pg_advisory_xact_lock(hashtext('last holders ' || $1))", [realmId])
    const kept = await tx.rows<KeptRole>(
      'select id, name from role where realm_id = $1 and client is null and attributes ? $2',
      [realmId, lastHolderStays],
    )
    const held: KeptRole[] = []
    for (const role of kept) if (await isHeld(tx, role.id)) held.push(role)
    const result = await change(tx)
    for (const { id, name } of held) {
      if (await isHeld(tx, id)) continue
      throw new Problem(400, { errorMessage: `Somebody has to hold ${name}: this is the last one who does` })
    }
    return result
  })
}
