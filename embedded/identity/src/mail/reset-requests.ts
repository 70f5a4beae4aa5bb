import type { Db } from '../storage/database.ts'

/** Wish for a new password, written down the same for a name that somebody has and for one that nobody has. */
export interface ResetRequest {
  id: string
  realm_id: string
  typed: string
  client_id: string | null
  ip_address: string | null
}

export async function addResetRequest(
  db: Db,
  asked: { realmId: string; typed: string; clientId: string; ip: string },
): Promise<void> {
  await db.run('insert into reset_request (realm_id, typed, client_id, ip_address) values ($1, $2, $3, $4)', [
    ...[asked.realmId, asked.typed, asked.clientId, asked.ip],
  ])
}

const leaseSeconds = 30
const mostTries = 5

/** Takes requests that nobody is at; one whose process was killed is taken again after the lease. */
export async function takeDueRequests(db: Db, limit: number): Promise<ResetRequest[]> {
  return db.rows<ResetRequest>(
    `update reset_request set tries = tries + 1, next_try_at = clock_timestamp() + make_interval(secs => $2)
     where id in (select id from reset_request where next_try_at <= clock_timestamp() and tries < $3
       order by next_try_at limit $1 for update skip locked)
     returning id, realm_id, typed, client_id, ip_address`,
    [limit, leaseSeconds, mostTries],
  )
}

export async function dropRequest(db: Db, id: string): Promise<void> {
  await db.run('delete from reset_request where id = $1', [id])
}
