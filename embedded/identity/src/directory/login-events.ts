import type { JsonObject } from '../http/exchange.ts'
import type { Db } from '../storage/database.ts'
import type { Realm } from './realms.ts'

export interface LoginEvent {
  type: string
  clientId?: string
  userId?: string
  sessionId?: string
  ipAddress?: string
  error?: string
  details?: Record<string, string>
}

/** Keeps an event when the realm keeps events at all, and this kind of them. */
export async function recordEvent(db: Db, realm: Realm, event: LoginEvent): Promise<void> {
  const { eventsEnabled, enabledEventTypes } = realm.settings
  if (!eventsEnabled) return
  if (enabledEventTypes.length > 0 && !enabledEventTypes.includes(event.type)) return
  await db.run(
    `insert into login_event (realm_id, type, client_id, user_id, session_id, ip_address, error, details)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      realm.id,
      event.type,
      event.clientId ?? null,
      event.userId ?? null,
      event.sessionId ?? null,
      event.ipAddress ?? null,
      event.error ?? null,
      JSON.stringify(event.details ?? {}),
    ],
  )
}

interface EventQuery {
  types: readonly string[]
  client?: string
  user?: string
  ipAddress?: string
  dateFrom?: Date
  dateTo?: Date
  first: number
  max: number
}

interface EventRow {
  id: string
  time: Date
  type: string
  client_id: string | null
  user_id: string | null
  session_id: string | null
  ip_address: string | null
  error: string | null
  details: Record<string, string>
}

export async function listEvents(db: Db, realmId: string, query: EventQuery): Promise<JsonObject[]> {
  const rows = await db.rows<EventRow>(
    `select * from login_event where realm_id = $1
       and (cardinality($2::text[]) = 0 or type = any($2)) and ($3::text is null or client_id = $3)
       and ($4::text is null or user_id = $4) and ($5::text is null or ip_address = $5)
       and ($6::timestamptz is null or time >= $6) and ($7::timestamptz is null or time < $7)
     order by time desc, id desc offset $8 limit $9`,
    [
      realmId,
      query.types,
      query.client ?? null,
      query.user ?? null,
      query.ipAddress ?? null,
      query.dateFrom ?? null,
      query.dateTo ?? null,
      query.first,
      query.max,
    ],
  )
  return rows.map((row) => ({
    id: row.id,
    time: row.time.getTime(),
    type: row.type,
    realmId,
    clientId: row.client_id ?? undefined,
    userId: row.user_id ?? undefined,
    sessionId: row.session_id ?? undefined,
    ipAddress: row.ip_address ?? undefined,
    error: row.error ?? undefined,
    details: row.details,
  }))
}

export async function clearEvents(db: Db, realmId: string): Promise<void> {
  await db.run('delete from login_event where realm_id = $1', [realmId])
}
