import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, conflict, notFound } from '../http/problem.ts'
import { isAddress } from '../mail/mail-server.ts'
import { type Db, isDuplicate } from '../storage/database.ts'
import { readAttributes } from './attributes.ts'

export interface User {
  id: string
  username: string
  email: string | null
  email_verified: boolean
  /** The person typed the address themselves. */
  email_typed: boolean
  first_name: string | null
  last_name: string | null
  enabled: boolean
  attributes: Record<string, string[]>
  required_actions: string[]
  service_client: string | null
  created_at: Date
  has_otp: boolean
  /** A security key as a second factor. */
  has_key: boolean
}

export const userColumns = `u.id, u.username, u.email, u.email_verified, u.email_typed, u.first_name, u.last_name, u.enabled, u.attributes,
  u.required_actions, u.service_client, u.created_at,
  exists (select 1 from credential c where c.user_id = u.id and c.type = 'otp') as has_otp,
  exists (select 1 from credential c where c.user_id = u.id and c.type = 'webauthn') as has_key`

/** A user as the Admin API writes it; the brief form leaves attributes out. */
export function userToJson(user: User, brief = false): JsonObject {
  return {
    id: user.id,
    username: user.username,
    ...(user.first_name === null ? {} : { firstName: user.first_name }),
    ...(user.last_name === null ? {} : { lastName: user.last_name }),
    ...(user.email === null ? {} : { email: user.email }),
    emailVerified: user.email_verified,
    ...(brief || Object.keys(user.attributes).length === 0 ? {} : { attributes: user.attributes }),
    createdTimestamp: user.created_at.getTime(),
    enabled: user.enabled,
    totp: user.has_otp,
    disableableCredentialTypes: [],
    requiredActions: user.required_actions,
    notBefore: 0,
    ...(user.service_client === null ? {} : { serviceAccountClientId: user.service_client }),
    access: { manageGroupMembership: true, view: true, mapRoles: true, impersonate: false, manage: true },
  }
}

export function findUser(db: Db, realmId: string, id: string): Promise<User | undefined> {
  return db.row<User>(`select ${userColumns} from user_account u where u.realm_id = $1 and u.id = $2`, [realmId, id])
}

export async function requireUser(db: Db, realmId: string, id: string): Promise<User> {
  const user = await findUser(db, realmId, id)
  if (!user) throw notFound('User')
  return user
}

/** Finds the person behind what was typed at sign-in: a user name, or an e-mail address where the realm allows it. */
export function findByLogin(db: Db, realmId: string, typed: string, emailAllowed: boolean): Promise<User | undefined> {
  return db.row<User>(
    `select ${userColumns} from user_account u
     where u.realm_id = $1 and u.service_client is null and (u.username = $2 or ($3 and u.email = $2))
     order by (u.username = $2) desc limit 1`,
    [realmId, typed.trim().toLowerCase(), emailAllowed],
  )
}

export function serviceAccountOf(db: Db, clientUuid: string): Promise<User | undefined> {
  return db.row<User>(`select ${userColumns} from user_account u where u.service_client = $1`, [clientUuid])
}

interface Profile {
  username: string
  email: string | null
  emailVerified: boolean
  firstName: string | null
  lastName: string | null
  enabled: boolean
  attributes: Record<string, string[]>
  requiredActions: string[]
}

const LIMIT = 255
const ofServiceAccounts = 'service-account-'

function text(sent: JsonObject, key: string, fallback: string | null): string | null {
  const value = sent[key]
  if (value === undefined || value === null) return fallback
  if (typeof value !== 'string' || value.length > LIMIT)
    throw badRequest(`${key} must be a text of at most ${LIMIT} characters`)
  return value.trim() === '' ? null : value.trim()
}

function flag(sent: JsonObject, key: string, fallback: boolean): boolean {
  const value = sent[key] ?? fallback
  if (typeof value !== 'boolean') throw badRequest(`${key} must be true or false`)
  return value
}

/** Reads what was sent over what is known; pure, so that both creating and changing use the same rules. */
function readProfile(sent: JsonObject, known?: Profile): Profile {
  const username = text(sent, 'username', known?.username ?? null)?.toLowerCase()
  if (!username) throw badRequest('User name is missing')
  // Letters of any script, digits and a few separators: no control characters, no markup, no path separators.
  if (!/^[\p{L}\p{N}._@+-]+$/u.test(username)) throw badRequest('User name has characters that are not allowed')
  if (username.startsWith(ofServiceAccounts) && username !== known?.username)
    throw badRequest(`User names that begin with ${ofServiceAccounts} are those of service accounts`)
  const email = text(sent, 'email', known?.email ?? null)?.toLowerCase() ?? null
  if (email !== null && email !== known?.email && !isAddress(email)) throw badRequest('E-mail address is not valid')
  const actions = sent.requiredActions ?? known?.requiredActions ?? []
  if (!Array.isArray(actions) || !actions.every((action) => typeof action === 'string')) {
    throw badRequest('requiredActions must be a list of names')
  }
  return {
    username,
    email,
    emailVerified: flag(sent, 'emailVerified', known?.emailVerified ?? false),
    firstName: text(sent, 'firstName', known?.firstName ?? null),
    lastName: text(sent, 'lastName', known?.lastName ?? null),
    enabled: flag(sent, 'enabled', known?.enabled ?? false),
    attributes: readAttributes(sent.attributes) ?? known?.attributes ?? {},
    requiredActions: [...new Set(actions as string[])],
  }
}

type Names = Pick<Profile, 'username' | 'email'>

/**
 * Either is typed at sign-in: who took the address of somebody else as a name would keep them out. For use in a
 * transaction: until it ends, nobody else of the realm gets another name or address.
 */
async function mustNotBeAnothers(db: Db, realmId: string, userId: string, { username, email }: Names): Promise<void> {
  await db.run("select pg_advisory_xact_lock(hashtext('names ' || $1))", [realmId])
  const other = await db.row<{ email: string | null }>(
    'select email from user_account where realm_id = $1 and id <> $2 and (email = $3 or username = $4) limit 1',
    [realmId, userId, username, email],
  )
  if (other) throw conflict(`User exists with same ${other.email === username ? 'username' : 'email'}`)
}

async function refuseDuplicate<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const about = error instanceof Error && 'constraint' in error ? String(error.constraint) : ''
    throw conflict(about.includes('email') ? 'User exists with same email' : 'User exists with same username')
  }
}

/** Adds a user with the realm's default role and default groups. */
export function createUser(db: Db, realm: { id: string; name: string }, sent: JsonObject): Promise<string> {
  return db.transaction((tx) => addUser(tx, realm, sent))
}

async function addUser(db: Db, realm: { id: string; name: string }, sent: JsonObject): Promise<string> {
  const id = typeof sent.id === 'string' && sent.id !== '' ? sent.id : randomUUID()
  const p = readProfile(sent)
  await mustNotBeAnothers(db, realm.id, id, p)
  await refuseDuplicate(
    db.run(
      `insert into user_account
       (id, realm_id, username, email, email_verified, first_name, last_name, enabled, attributes, required_actions)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        realm.id,
        p.username,
        p.email,
        p.emailVerified,
        p.firstName,
        p.lastName,
        p.enabled,
        JSON.stringify(p.attributes),
        p.requiredActions,
      ],
    ),
  )
  await db.run(
    `insert into user_role (user_id, role_id)
     select $1, id from role where realm_id = $2 and client is null and name = $3`,
    [id, realm.id, `default-roles-${realm.name}`],
  )
  await db.run(
    'insert into group_member (user_id, group_id) select $1, group_id from default_group where realm_id = $2',
    [id, realm.id],
  )
  return id
}

interface NamingRealm {
  id: string
  settings: { editUsernameAllowed: boolean }
}

/** The user, whom nobody else changes until the transaction ends; undefined for one who is gone. */
export async function lockUser(tx: Db, realmId: string, id: string): Promise<User | undefined> {
  await tx.run('select 1 from user_account where realm_id = $1 and id = $2 for update', [realmId, id])
  return findUser(tx, realmId, id)
}

/** Changes what was sent, and leaves everything else as it is at that moment. */
export function updateUser(db: Db, realm: NamingRealm, id: string, sent: JsonObject): Promise<void> {
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, realm.id, id)
    if (!user) throw notFound('User')
    await changeUser(tx, realm, user, sent)
  })
}

async function changeUser(db: Db, realm: NamingRealm, user: User, sent: JsonObject): Promise<void> {
  const known: Profile = {
    username: user.username,
    email: user.email,
    emailVerified: user.email_verified,
    firstName: user.first_name,
    lastName: user.last_name,
    enabled: user.enabled,
    attributes: user.attributes,
    requiredActions: user.required_actions,
  }
  const { editUsernameAllowed } = realm.settings
  const p = readProfile(editUsernameAllowed ? sent : { ...sent, username: user.username }, known)
  if (p.username !== known.username || p.email !== known.email) await mustNotBeAnothers(db, realm.id, user.id, p)
  await refuseDuplicate(
    db.run(
      `update user_account set username = $2, email = $3, email_verified = $4, first_name = $5, last_name = $6,
       enabled = $7, attributes = $8, required_actions = $9,
       email_typed = email_typed and email is not distinct from $3 where id = $1`,
      [
        user.id,
        p.username,
        p.email,
        p.emailVerified,
        p.firstName,
        p.lastName,
        p.enabled,
        JSON.stringify(p.attributes),
        p.requiredActions,
      ],
    ),
  )
}

/** Asks for an action at the next sign-in, besides those that are asked for already. */
export async function requireAction(db: Db, userId: string, action: string): Promise<void> {
  await db.run(
    `update user_account set required_actions = array_append(required_actions, $2)
     where id = $1 and not $2 = any(required_actions)`,
    [userId, action],
  )
}

/** An action is done, or not asked for any more; the others stay. */
export async function dropAction(db: Db, userId: string, action: string): Promise<void> {
  await db.run('update user_account set required_actions = array_remove(required_actions, $2) where id = $1', [
    userId,
    action,
  ])
}

/** Notes that the address of the account is as the person typed it: it may be anybody's until it is confirmed. */
export async function noteTypedEmail(db: Db, userId: string): Promise<void> {
  await db.run('update user_account set email_typed = true where id = $1', [userId])
}

/** Takes an address as confirmed, if it is the account's; an action that asks for it is done. */
export async function confirmEmail(db: Db, userId: string, email: string): Promise<void> {
  await db.run(
    `update user_account set email_verified = true, required_actions = array_remove(required_actions, 'VERIFY_EMAIL')
     where id = $1 and email = $2`,
    [userId, email],
  )
}

export async function deleteUser(db: Db, user: User): Promise<void> {
  await db.run('delete from user_account where id = $1', [user.id])
}
