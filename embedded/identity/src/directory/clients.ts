import { randomBytes, randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, conflict, notFound } from '../http/problem.ts'
import { redirectPatternProblem } from '../oidc/redirect-uris.ts'
import { type Db, isDuplicate } from '../storage/database.ts'
import { defaultScopes, type RealmSettings } from './realm-settings.ts'

/** The fields of a client that this server acts on; everything else that is sent is kept and given back. */
interface ClientSettings {
  [setting: string]: unknown
  name?: string
  description?: string
  enabled: boolean
  bearerOnly: boolean
  publicClient: boolean
  standardFlowEnabled: boolean
  directAccessGrantsEnabled: boolean
  serviceAccountsEnabled: boolean
  consentRequired: boolean
  fullScopeAllowed: boolean
  /** Tokens issued before, in seconds since 1970, count no more. */
  notBefore: number
  rootUrl?: string
  baseUrl?: string
  redirectUris: string[]
  webOrigins: string[]
  attributes: Record<string, string>
}

export interface Client {
  id: string
  client_id: string
  settings: ClientSettings
  secret: string | null
}

interface RealmRef {
  id: string
  name: string
  settings: Partial<RealmSettings>
}

const defaults: ClientSettings = {
  enabled: true,
  surrogateAuthRequired: false,
  alwaysDisplayInConsole: false,
  clientAuthenticatorType: 'client-secret',
  redirectUris: [],
  webOrigins: [],
  notBefore: 0,
  bearerOnly: false,
  consentRequired: false,
  standardFlowEnabled: true,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
  serviceAccountsEnabled: false,
  publicClient: false,
  frontchannelLogout: false,
  protocol: 'openid-connect',
  attributes: {},
  fullScopeAllowed: true,
  nodeReRegistrationTimeout: -1,
  defaultClientScopes: [],
  optionalClientScopes: [],
}

const derived = ['id', 'clientId', 'secret', 'access']
const columns = 'id, client_id, settings, secret'

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

/** The attribute that says where a client is told that a session is over. */
const LOGOUT_URL = 'backchannel.logout.url'

function checkLogoutUrl(text: string | undefined): void {
  if (!text) return
  const url = URL.parse(text)
  const isFit = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.hash === ''
  if (!isFit || text.length > 2_048)
    throw badRequest(`attributes.${LOGOUT_URL} must be an address of http or https without credentials and fragment`)
}

const isSeconds = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31

function merge(sent: JsonObject, over: ClientSettings): ClientSettings {
  const next: ClientSettings = { ...over }
  for (const [key, value] of Object.entries(sent)) {
    if (derived.includes(key) || value === undefined || value === null) continue
    if (typeof defaults[key] === 'boolean' && typeof value !== 'boolean')
      throw badRequest(`${key} must be true or false`)
    if (key === 'notBefore' && !isSeconds(value)) throw badRequest('notBefore must be a whole number, zero or more')
    if (Array.isArray(defaults[key]) && !isTextList(value)) throw badRequest(`${key} must be a list of texts`)
    next[key] = key === 'attributes' ? { ...over.attributes, ...(value as Record<string, string>) } : value
  }
  checkLogoutUrl(next.attributes[LOGOUT_URL])
  for (const uri of next.redirectUris) {
    const problem = redirectPatternProblem(uri)
    if (problem) throw badRequest(`A redirect URI is not a valid URI: ${problem}`)
  }
  return next
}

const needsSecret = (settings: ClientSettings) => !settings.publicClient && !settings.bearerOnly
const newSecret = () => randomBytes(24).toString('base64url')

/** A client as the Admin API writes it; the secret is for those who may manage clients. */
export function clientToJson(client: Client, withSecret: boolean): JsonObject {
  return {
    id: client.id,
    clientId: client.client_id,
    ...client.settings,
    ...(withSecret && client.secret !== null ? { secret: client.secret } : {}),
    access: { view: true, configure: withSecret, manage: withSecret },
  }
}

interface ClientQuery {
  clientId?: string
  search?: boolean
  first?: number
  max?: number
}

const placeOf = (id: string) => `client:${id}`
const encrypted = (db: Db, { id, secret }: Pick<Client, 'id' | 'secret'>) =>
  secret === null ? null : db.encryption.encrypt(placeOf(id), secret)
const opened = (db: Db, row: Client): Client => ({
  ...row,
  secret: row.secret === null ? null : db.encryption.decrypt(placeOf(row.id), row.secret),
})

export async function listClients(db: Db, realmId: string, query: ClientQuery = {}): Promise<Client[]> {
  const rows = await db.rows<Client>(
    `select ${columns} from client
     where realm_id = $1
       and ($2::text is null or case when $3 then position(lower($2) in lower(client_id)) > 0 else client_id = $2 end)
     order by client_id offset $4 limit $5`,
    [realmId, query.clientId ?? null, query.search ?? false, query.first ?? 0, query.max ?? null],
  )
  return rows.map((row) => opened(db, row))
}

export async function findClient(db: Db, realmId: string, clientId: string): Promise<Client | undefined> {
  // The database takes no such text, and no client is called so.
  if (clientId.includes('\0')) return undefined
  const row = await db.row<Client>(`select ${columns} from client where realm_id = $1 and client_id = $2`, [
    realmId,
    clientId,
  ])
  return row && opened(db, row)
}

export async function requireClient(db: Db, realmId: string, id: string): Promise<Client> {
  const client = await db.row<Client>(`select ${columns} from client where realm_id = $1 and id = $2`, [realmId, id])
  if (!client) throw notFound('Could not find client: Client')
  return opened(db, client)
}

async function alignServiceAccount(db: Db, realm: RealmRef, client: Client): Promise<void> {
  if (!client.settings.serviceAccountsEnabled) {
    await db.run('delete from user_account where service_client = $1', [client.id])
    return
  }
  await db.run(
    `insert into user_account (id, realm_id, username, service_client) values ($1, $2, $3, $4)
     on conflict (realm_id, username) do nothing`,
    [randomUUID(), realm.id, `service-account-${client.client_id.toLowerCase()}`, client.id],
  )
  await db.run(
    `insert into user_role (user_id, role_id)
     select u.id, r.id from user_account u, role r
     where u.service_client = $1 and r.realm_id = $2 and r.client is null and r.name = $3 on conflict do nothing`,
    [client.id, realm.id, `default-roles-${realm.name}`],
  )
}

export async function createClient(db: Db, realm: RealmRef, sent: JsonObject): Promise<Client> {
  const clientId = sent.clientId
  if (typeof clientId !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(clientId)) {
    throw badRequest('clientId is missing or has characters that are not allowed')
  }
  const { defaultDefaultClientScopes, defaultOptionalClientScopes } = defaultScopes(realm.settings)
  const ofRealm = { defaultClientScopes: defaultDefaultClientScopes, optionalClientScopes: defaultOptionalClientScopes }
  const settings = merge(sent, { ...defaults, ...ofRealm })
  const given = typeof sent.secret === 'string' && sent.secret !== '' ? sent.secret : newSecret()
  const client: Client = {
    id: typeof sent.id === 'string' && sent.id !== '' ? sent.id : randomUUID(),
    client_id: clientId,
    settings,
    secret: needsSecret(settings) ? given : null,
  }
  return db.transaction(async (tx) => {
    try {
      await tx.run('insert into client (id, realm_id, client_id, settings, secret) values ($1, $2, $3, $4, $5)', [
        client.id,
        realm.id,
        clientId,
        JSON.stringify(settings),
        encrypted(tx, client),
      ])
    } catch (error) {
      if (isDuplicate(error)) throw conflict(`Client ${clientId} already exists`)
      throw error
    }
    await alignServiceAccount(tx, realm, client)
    return client
  })
}

export async function updateClient(db: Db, realm: RealmRef, client: Client, sent: JsonObject): Promise<Client> {
  const settings = merge(sent, client.settings)
  const given = typeof sent.secret === 'string' && sent.secret !== '' ? sent.secret : (client.secret ?? newSecret())
  const next = { ...client, settings, secret: needsSecret(settings) ? given : null }
  await db.transaction(async (tx) => {
    await tx.run('update client set settings = $2, secret = $3 where id = $1', [
      client.id,
      JSON.stringify(settings),
      encrypted(tx, next),
    ])
    await alignServiceAccount(tx, realm, next)
  })
  return next
}

export async function renewSecret(db: Db, client: Client): Promise<string> {
  const secret = newSecret()
  await db.run('update client set secret = $2 where id = $1', [client.id, encrypted(db, { ...client, secret })])
  return secret
}

export async function deleteClient(db: Db, client: Client): Promise<void> {
  await db.run('delete from client where id = $1', [client.id])
}
