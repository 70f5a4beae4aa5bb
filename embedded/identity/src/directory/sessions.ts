import type { JsonObject } from '../http/exchange.ts'
import { noteLogout } from '../signing-out/logout-notices.ts'
import type { Db } from '../storage/database.ts'

interface SessionRow {
  uid: string
  account_id: string
  username: string
  ip_address: string | null
  user_agent: string | null
  started_at: Date
  used_at: Date
  payload: { authorizations?: Record<string, { grantId?: string }>; loginTs?: number }
}

const columns = `s.uid, s.account_id, u.username, s.ip_address, s.user_agent, s.started_at, s.used_at, s.payload`
/** A session `s` that was not ended, neither by itself nor with all others of its person. `loginTs` has whole seconds. */
export const notEnded = `not exists (select 1 from ended_session e where e.realm_id = s.realm_id and e.uid = s.uid)
  and not exists (select 1 from user_account ended where ended.id = s.account_id
    and ended.sessions_ended_at >= to_timestamp((s.payload ->> 'loginTs')::float8 + 1))`
const alive = `s.model = 'Session' and s.expires_at > now() and s.used_at > now() - make_interval(secs => $2) and ${notEnded}`

interface RealmRef {
  id: string
  settings: { ssoSessionIdleTimeout: number }
}

async function write(db: Db, realm: RealmRef, row: SessionRow): Promise<JsonObject> {
  const clientIds = Object.keys(row.payload.authorizations ?? {})
  const clients = await db.rows<{ id: string; client_id: string }>(
    'select id, client_id from client where realm_id = $1 and client_id = any($2)',
    [realm.id, clientIds],
  )
  return {
    id: row.uid,
    username: row.username,
    userId: row.account_id,
    ipAddress: row.ip_address ?? '',
    userAgent: row.user_agent ?? '',
    start: (row.payload.loginTs ?? row.started_at.getTime() / 1000) * 1000,
    lastAccess: row.used_at.getTime(),
    rememberMe: false,
    clients: Object.fromEntries(clients.map((client) => [client.id, client.client_id])),
  }
}

/** The live sessions of one user. */
export async function sessionsOfUser(db: Db, realm: RealmRef, userId: string): Promise<JsonObject[]> {
  const rows = await db.rows<SessionRow>(
    `select ${columns} from oidc_artifact s join user_account u on u.id = s.account_id
     where s.realm_id = $1 and ${alive} and s.account_id = $3 order by s.used_at desc`,
    [realm.id, realm.settings.ssoSessionIdleTimeout, userId],
  )
  return Promise.all(rows.map((row) => write(db, realm, row)))
}

/** The live sessions in which a client has tokens. */
export async function sessionsOfClient(
  db: Db,
  realm: RealmRef,
  clientId: string,
  page: { first: number; max: number },
): Promise<JsonObject[]> {
  const rows = await db.rows<SessionRow>(
    `select ${columns} from oidc_artifact s join user_account u on u.id = s.account_id
     where s.realm_id = $1 and ${alive} and s.payload -> 'authorizations' ? $3
     order by s.used_at desc, s.uid offset $4 limit $5`,
    [realm.id, realm.settings.ssoSessionIdleTimeout, clientId, page.first, page.max],
  )
  return Promise.all(rows.map((row) => write(db, realm, row)))
}

export async function countSessionsOfClient(db: Db, realm: RealmRef, clientId: string): Promise<number> {
  const row = await db.row<{ count: number }>(
    `select count(*)::int as count from oidc_artifact s join user_account u on u.id = s.account_id
     where s.realm_id = $1 and ${alive} and s.payload -> 'authorizations' ? $3`,
    [realm.id, realm.settings.ssoSessionIdleTimeout, clientId],
  )
  return row?.count ?? 0
}

/** How many live sessions each client of the realm has. */
export function sessionCounts(db: Db, realm: RealmRef): Promise<{ id: string; clientId: string; active: string }[]> {
  return db.rows(
    `select c.id, c.client_id as "clientId", count(*)::text as active
     from oidc_artifact s cross join lateral jsonb_object_keys(coalesce(s.payload -> 'authorizations', '{}')) k
     join client c on c.realm_id = s.realm_id and c.client_id = k
     where s.realm_id = $1 and ${alive} group by c.id, c.client_id`,
    [realm.id, realm.settings.ssoSessionIdleTimeout],
  )
}

async function endWhere(db: Db, realmId: string, condition: string, value: unknown): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await tx.rows<Pick<SessionRow, 'uid' | 'payload' | 'account_id'>>(
      `delete from oidc_artifact s where s.realm_id = $1 and s.model = 'Session' and ${condition}
       returning s.uid, s.payload, s.account_id`,
      [realmId, value],
    )
    await tx.run('insert into ended_session (realm_id, uid) select $1, unnest($2::text[]) on conflict do nothing', [
      realmId,
      ended.map(({ uid }) => uid),
    ])
    for (const { uid, payload, account_id } of ended)
      await noteLogout(tx, realmId, {
        sid: uid,
        userId: account_id,
        clientIds: Object.keys(payload.authorizations ?? {}),
      })
    const grants = ended.flatMap(({ payload }) =>
      Object.values(payload.authorizations ?? {}).flatMap(({ grantId }) => (grantId ? [grantId] : [])),
    )
    await tx.run(
      `delete from oidc_artifact where realm_id = $1 and (grant_id = any($2) or (model = 'Grant' and id = any($2)))`,
      [realmId, grants],
    )
    return ended.length
  })
}

/** Ends what was issued under one grant. */
export async function endGrant(db: Db, realmId: string, grantId: string): Promise<void> {
  await db.run(`delete from oidc_artifact where realm_id = $1 and (grant_id = $2 or (model = 'Grant' and id = $2))`, [
    realmId,
    grantId,
  ])
}

/** Ends one session with every token that hangs on it. */
export const endSession = (db: Db, realmId: string, sessionId: string) => endWhere(db, realmId, 's.uid = $2', sessionId)

/** Ends all sessions of a user, every sign-in that is on its way, and links that lead into the account. */
export function endSessionsOfUser(db: Db, realmId: string, userId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await endWhere(tx, realmId, 's.account_id = $2', userId)
    await tx.run('update user_account set sessions_ended_at = clock_timestamp() where id = $1', [userId])
    await endSignInsOfUser(tx, userId)
    return ended
  })
}

/** Sign-ins of this user that are on their way begin anew, and links that were mailed open nothing any more. */
export async function endSignInsOfUser(db: Db, userId: string): Promise<void> {
  await db.run('delete from sign_in where user_id = $1', [userId])
  await dropActionTokens(db, userId)
}

/** Links that were mailed or handed over open nothing any more. */
export async function dropActionTokens(db: Db, userId: string): Promise<void> {
  await db.run('delete from action_token where user_id = $1', [userId])
}

/** Tells whether everything that somebody had begun by then, in seconds of the database's clock, was ended since. */
export async function wasEndedSince(db: Db, userId: string, since: number): Promise<boolean> {
  const row = await db.row('select 1 from user_account where id = $1 and sessions_ended_at >= to_timestamp($2)', [
    userId,
    since,
  ])
  return row !== undefined
}

/** Ends every session of the realm. */
export const endAllSessions = (db: Db, realmId: string) => endWhere(db, realmId, '$2::text is null', null)
