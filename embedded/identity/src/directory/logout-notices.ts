import type { Db } from '../storage/database.ts'

/** After so many attempts a client that cannot be reached is not told any more. */
const MOST_ATTEMPTS = 5
/** Notices that are sent at the same time. */
const AT_ONCE = 8

interface EndedSession {
  sid: string
  userId: string
  clientIds: readonly string[]
}

/** Puts down, along with the end of a session, which clients have to be told of it. */
export async function noteLogout(db: Db, realmId: string, { sid, userId, clientIds }: EndedSession): Promise<void> {
  if (clientIds.length === 0) return
  await db.run(
    `insert into logout_notice (realm_id, client, user_id, sid)
     select $1, id, $3, $4 from client
     where realm_id = $1 and client_id = any($2) and settings -> 'attributes' ->> 'backchannel.logout.url' <> ''`,
    [realmId, clientIds, userId, sid],
  )
}

export interface LogoutNotice {
  id: string
  realm: string
  client_id: string
  user_id: string
  sid: string
  attributes: Record<string, string>
  isLast: boolean
}

/** Takes notices that are due. Each comes back after a while, longer each time, unless it is dropped. */
export function takeNotices(db: Db): Promise<LogoutNotice[]> {
  return db.rows<LogoutNotice>(
    `update logout_notice n set attempts = attempts + 1, due_at = now() + make_interval(secs => 5 * 4 ^ attempts)
     from realm r, client c
     where r.id = n.realm_id and c.id = n.client and n.id in (
       select id from logout_notice where due_at <= now() order by due_at limit ${AT_ONCE} for update skip locked)
     returning n.id, r.name as realm, c.client_id, n.user_id, n.sid, c.settings -> 'attributes' as attributes,
       n.attempts >= ${MOST_ATTEMPTS} as "isLast"`,
  )
}

export async function dropNotice(db: Db, id: string): Promise<void> {
  await db.run('delete from logout_notice where id = $1', [id])
}
