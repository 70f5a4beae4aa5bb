import { randomBytes, randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, conflict, Problem } from '../http/problem.ts'
import { hideMailPassword, keepMailPassword, openMailPassword, sealMailPassword } from '../mail/mail-password.ts'
import { createSigningKey } from '../oidc/signing-keys.ts'
import { type Db, isDuplicate } from '../storage/database.ts'
import { accountRoles, MANAGEMENT_CLIENT, managementRoles } from './builtin-roles.ts'
import { addBuiltinScopes } from './client-scopes.ts'
import { createClient } from './clients.ts'
import { mergeSettings, type RealmSettings } from './realm-settings.ts'
import { addComposites, createRole, findRole, roleToJson } from './roles.ts'

export interface Realm {
  id: string
  name: string
  settings: RealmSettings
  cookie_secret: string
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

export const defaultRoleName = (realmName: string) => `default-roles-${realmName}`

const placeOf = (id: string) => `realm:${id}`
const opened = (db: Db, row: Realm): Realm => ({
  ...row,
  settings: openMailPassword(db.encryption, row.id, row.settings),
  cookie_secret: db.encryption.decrypt(placeOf(row.id), row.cookie_secret),
})

export async function listRealms(db: Db): Promise<Realm[]> {
  const rows = await db.rows<Realm>('select id, name, settings, cookie_secret from realm order by name')
  return rows.map((row) => opened(db, row))
}

export async function findRealm(db: Db, name: string): Promise<Realm | undefined> {
  const row = await db.row<Realm>('select id, name, settings, cookie_secret from realm where name = $1', [name])
  return row && opened(db, row)
}

export async function findRealmById(db: Db, id: string): Promise<Realm | undefined> {
  const row = await db.row<Realm>('select id, name, settings, cookie_secret from realm where id = $1', [id])
  return row && opened(db, row)
}

export async function requireRealm(db: Db, name: string): Promise<Realm> {
  const realm = await findRealm(db, name)
  if (!realm) throw new Problem(404, { error: 'Realm not found.' })
  return realm
}

async function fillWithBuiltins(db: Db, realm: Realm): Promise<void> {
  await addBuiltinScopes(db, realm.id)
  const defaultRole = await createRole(db, realm, undefined, { name: defaultRoleName(realm.name) })
  const offline = await createRole(db, realm, undefined, { name: 'offline_access' })
  const uma = await createRole(db, realm, undefined, { name: 'uma_authorization' })
  const account = await createClient(db, realm, { clientId: 'account', name: 'Account', bearerOnly: true })
  const accountRoleIds: string[] = []
  for (const name of accountRoles) accountRoleIds.push((await createRole(db, realm, account.id, { name })).id)
  await addComposites(db, defaultRole.id, [offline.id, uma.id, ...accountRoleIds.slice(0, 2)])

  const management = await createClient(db, realm, { clientId: MANAGEMENT_CLIENT, bearerOnly: true })
  const ids = new Map<string, string>()
  for (const name of managementRoles.keys()) ids.set(name, (await createRole(db, realm, management.id, { name })).id)
  for (const [name, children] of managementRoles) {
    const childIds = children.map((child) => ids.get(child)).filter((id) => id !== undefined)
    await addComposites(db, ids.get(name) ?? '', childIds)
  }
}

/** Makes a realm with its signing key, built-in clients and default role. */
export async function createRealm(db: Db, sent: JsonObject): Promise<Realm> {
  const name = sent.realm
  if (typeof name !== 'string' || !NAME.test(name))
    throw badRequest('Realm name is missing or has characters that are not allowed')
  const id = typeof sent.id === 'string' && sent.id !== '' ? sent.id : randomUUID()
  const settings = mergeSettings(sent)
  return db.transaction(async (tx) => {
    const realm: Realm = { id, name, settings, cookie_secret: randomBytes(32).toString('base64url') }
    try {
      await tx.run('insert into realm (id, name, settings, cookie_secret) values ($1, $2, $3, $4)', [
        id,
        name,
        JSON.stringify(sealMailPassword(tx.encryption, id, settings)),
        tx.encryption.encrypt(placeOf(id), realm.cookie_secret),
      ])
    } catch (error) {
      if (isDuplicate(error)) throw conflict(`Conflict detected. See logs for details`)
      throw error
    }
    await createSigningKey(tx, realm.id)
    await fillWithBuiltins(tx, realm)
    return realm
  })
}

export async function updateRealm(db: Db, realm: Realm, sent: JsonObject): Promise<Realm> {
  const settings = mergeSettings(keepMailPassword(sent, realm.settings), realm.settings)
  const kept = JSON.stringify(sealMailPassword(db.encryption, realm.id, settings))
  await db.run('update realm set settings = $2 where id = $1', [realm.id, kept])
  return { ...realm, settings }
}

export async function deleteRealm(db: Db, realm: Realm): Promise<void> {
  await db.run('delete from realm where id = $1', [realm.id])
}

export async function realmToJson(db: Db, realm: Realm, brief: boolean): Promise<JsonObject> {
  const { enabled, displayName } = realm.settings
  if (brief) return { id: realm.id, realm: realm.name, displayName, enabled }
  const defaultRole = await findRole(db, realm.id, undefined, defaultRoleName(realm.name))
  return {
    id: realm.id,
    realm: realm.name,
    ...hideMailPassword(realm.settings),
    defaultRole: defaultRole && roleToJson(realm, defaultRole),
  }
}
