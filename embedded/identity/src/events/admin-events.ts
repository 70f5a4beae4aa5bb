import type { Realm } from '../directory/realms.ts'
import type { JsonObject } from '../http/exchange.ts'
import type { Db } from '../storage/database.ts'

interface AdminEvent {
  operationType: 'CREATE' | 'UPDATE' | 'DELETE' | 'ACTION'
  resourceType: string
  resourcePath: string
  authRealm: string
  authClient: string
  authUser: string
  /** User of the realm for whom the caller acts, by the caller's own word. */
  actingFor?: string | undefined
  ipAddress?: string
  error?: string | undefined
  body?: unknown
}

const mostCharacters = 10_000

/** Names of fields whose content is for nobody to read again. */
const isSecret = (name: string) => /password|secret|credential|^value$|token|key/i.test(name)

/** A copy of what was sent without its secrets; what they are is not kept anywhere. */
function withoutSecrets(sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map(withoutSecrets)
  if (typeof sent !== 'object' || sent === null) return sent
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, isSecret(name) ? '**********' : withoutSecrets(value)]),
  )
}

/** Keeps what was done by the Admin API when the realm keeps such events. */
export async function recordAdminEvent(db: Db, realm: Realm, event: AdminEvent): Promise<void> {
  const { adminEventsEnabled, adminEventsDetailsEnabled } = realm.settings
  if (adminEventsEnabled !== true) return
  const isDetailed = adminEventsDetailsEnabled === true && event.body !== undefined
  const representation = isDetailed ? JSON.stringify(withoutSecrets(event.body)).slice(0, mostCharacters) : null
  await db.run(
    `insert into admin_event (realm_id, operation_type, resource_type, resource_path, auth_realm, auth_client, auth_user,
       acting_for, ip_address, error, representation)
     values ($1, $2, $3, $4, $5, $6, $7, (select id from user_account where realm_id = $1 and id = $8), $9, $10, $11)`,
    [
      ...[realm.id, event.operationType, event.resourceType, event.resourcePath.slice(0, 2000)],
      ...[event.authRealm, event.authClient, event.authUser, event.actingFor ?? null, event.ipAddress ?? null],
      ...[event.error?.slice(0, 500) ?? null, representation],
    ],
  )
}

interface AdminEventQuery {
  operationTypes: readonly string[]
  resourceTypes: readonly string[]
  resourcePath?: string
  authRealm?: string
  authClient?: string
  authUser?: string
  authIpAddress?: string
  dateFrom?: Date
  dateTo?: Date
  isOldestFirst: boolean
  first: number
  max: number
}

interface Row {
  id: string
  time: Date
  operation_type: string
  resource_type: string
  resource_path: string
  auth_realm: string
  auth_client: string
  auth_user: string
  acting_for: string | null
  ip_address: string | null
  error: string | null
  representation: string | null
}

/** A path with `*` for any text, as a LIKE pattern. */
const patternOf = (path: string) => path.replace(/[\\%_]/g, (char) => `\\${char}`).replaceAll('*', '%')

export async function listAdminEvents(db: Db, realmId: string, query: AdminEventQuery): Promise<JsonObject[]> {
  const direction = query.isOldestFirst ? 'asc' : 'desc'
  const rows = await db.rows<Row>(
    `select * from admin_event where realm_id = $1
       and (cardinality($2::text[]) = 0 or operation_type = any($2))
       and (cardinality($3::text[]) = 0 or resource_type = any($3))
       and ($4::text is null or resource_path like $4) and ($5::text is null or auth_realm = $5)
       and ($6::text is null or auth_client = $6) and ($7::text is null or auth_user = $7 or acting_for = $7)
       and ($8::text is null or ip_address = $8)
       and ($9::timestamptz is null or time >= $9) and ($10::timestamptz is null or time < $10)
     order by time ${direction}, id ${direction} offset $11 limit $12`,
    [
      ...[realmId, query.operationTypes, query.resourceTypes],
      query.resourcePath === undefined ? null : patternOf(query.resourcePath),
      ...[query.authRealm ?? null, query.authClient ?? null, query.authUser ?? null, query.authIpAddress ?? null],
      ...[query.dateFrom ?? null, query.dateTo ?? null, query.first, query.max],
    ],
  )
  return rows.map((row) => ({
    ...{ id: row.id, time: row.time.getTime(), realmId, operationType: row.operation_type },
    ...{ resourceType: row.resource_type, resourcePath: row.resource_path, error: row.error ?? undefined },
    representation: row.representation ?? undefined,
    authDetails: {
      ...{ realmId: row.auth_realm, clientId: row.auth_client, userId: row.auth_user },
      ipAddress: row.ip_address ?? undefined,
    },
    ...(row.acting_for === null ? {} : { details: { actingFor: row.acting_for } }),
  }))
}

export async function clearAdminEvents(db: Db, realmId: string): Promise<void> {
  await db.run('delete from admin_event where realm_id = $1', [realmId])
}
