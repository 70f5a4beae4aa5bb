import type { Db } from '../storage/database.ts'
import { type User, userColumns } from './users.ts'

export interface UserQuery {
  search?: string
  username?: string
  email?: string
  firstName?: string
  lastName?: string
  enabled?: boolean
  emailVerified?: boolean
  exact: boolean
  /** Attribute filters as `name:value` pairs. */
  attributes: readonly (readonly [string, string])[]
}

interface Condition {
  sql: string
  values: unknown[]
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** How one search word is meant: `"word"` exactly, `*word*` anywhere, `word` at the start. */
export function likePattern(word: string): string {
  if (word.length > 1 && word.startsWith('"') && word.endsWith('"')) return escapeLike(word.slice(1, -1))
  const open = word.startsWith('*')
  const bare = word.replace(/^\*|\*$/g, '')
  return `${open ? '%' : ''}${escapeLike(bare)}%`
}

/** Splits `q=name:value "other name":"some value"` into pairs. */
export function attributeFilters(q: string): [string, string][] {
  const word = String.raw`(?:"([^"]*)"|([^\s":]+))`
  return [...q.matchAll(new RegExp(`${word}:${word}`, 'g'))].map((match) => [
    match[1] ?? match[2] ?? '',
    match[3] ?? match[4] ?? '',
  ])
}

/** Turns a query into one SQL condition; $1 is the realm. */
export function userCondition(query: UserQuery): Condition {
  const values: unknown[] = []
  const add = (value: unknown) => {
    values.push(value)
    return `$${values.length + 1}`
  }
  const parts = ['u.realm_id = $1', 'u.service_client is null']
  for (const word of query.search?.trim().split(/\s+/).filter(Boolean) ?? []) {
    const place = add(likePattern(word.toLowerCase()))
    parts.push(
      `(u.username like ${place} or u.email like ${place} or lower(u.first_name) like ${place} or lower(u.last_name) like ${place})`,
    )
  }
  const fields = {
    username: 'u.username',
    email: 'u.email',
    firstName: 'lower(u.first_name)',
    lastName: 'lower(u.last_name)',
  }
  for (const [key, column] of Object.entries(fields)) {
    const value = query[key as keyof typeof fields]?.toLowerCase()
    if (value === undefined) continue
    parts.push(query.exact ? `${column} = ${add(value)}` : `${column} like ${add(`%${escapeLike(value)}%`)}`)
  }
  if (query.enabled !== undefined) parts.push(`u.enabled = ${add(query.enabled)}`)
  if (query.emailVerified !== undefined) parts.push(`u.email_verified = ${add(query.emailVerified)}`)
  for (const [name, value] of query.attributes) parts.push(`u.attributes -> ${add(name)} ? ${add(value)}`)
  return { sql: parts.join(' and '), values }
}

export function searchUsers(db: Db, realmId: string, query: UserQuery, first: number, max: number): Promise<User[]> {
  const { sql, values } = userCondition(query)
  const next = values.length + 2
  return db.rows<User>(
    `select ${userColumns} from user_account u where ${sql} order by u.username offset $${next} limit $${next + 1}`,
    [realmId, ...values, first, max],
  )
}

export async function countUsers(db: Db, realmId: string, query: UserQuery): Promise<number> {
  const { sql, values } = userCondition(query)
  const row = await db.row<{ total: number }>(`select count(*)::int as total from user_account u where ${sql}`, [
    realmId,
    ...values,
  ])
  return row?.total ?? 0
}

export function membersOf(db: Db, groupId: string, first: number, max: number): Promise<User[]> {
  return db.rows<User>(
    `select ${userColumns} from user_account u join group_member m on m.user_id = u.id
     where m.group_id = $1 order by u.username offset $2 limit $3`,
    [groupId, first, max],
  )
}

/** Users who were given the role itself, as Keycloak answers; those who have it through groups are not listed. */
export function usersInRole(db: Db, roleId: string, first: number, max: number): Promise<User[]> {
  return db.rows<User>(
    `select ${userColumns} from user_account u join user_role x on x.user_id = u.id
     where x.role_id = $1 order by u.username offset $2 limit $3`,
    [roleId, first, max],
  )
}
