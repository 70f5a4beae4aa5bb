import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, conflict, notFound, Problem } from '../http/problem.ts'
import { type Db, isDuplicate } from '../storage/database.ts'
import { addressProblem, type Outbound } from './outbound.ts'

/** A foreign OpenID provider at which people of a realm can sign in. */
export interface IdentityProvider {
  alias: string
  internal_id: string
  settings: ProviderSettings
  client_secret: string | null
}

interface ProviderSettings {
  [setting: string]: unknown
  enabled: boolean
  displayName?: string
  trustEmail: boolean
  linkOnly: boolean
  hideOnLogin: boolean
  config: Record<string, string>
}

const defaults: ProviderSettings = {
  providerId: 'oidc',
  enabled: true,
  updateProfileFirstLoginMode: 'on',
  trustEmail: false,
  storeToken: false,
  addReadTokenRoleOnCreate: false,
  authenticateByDefault: false,
  linkOnly: false,
  hideOnLogin: false,
  config: {},
}

const HIDDEN = '**********'
const kinds = ['oidc', 'keycloak-oidc']
const addresses = ['authorizationUrl', 'tokenUrl', 'jwksUrl', 'userInfoUrl', 'issuer'] as const
const needed = ['authorizationUrl', 'tokenUrl', 'jwksUrl', 'issuer', 'clientId'] as const
const LIMIT = 2000

const notHere = (message: string) => new Problem(501, { errorMessage: message })
const placeOf = (realmId: string, alias: string) => `identity_provider:${realmId}:${alias}`

function configOf(sent: unknown): Record<string, string> {
  if (sent === undefined || sent === null) return {}
  if (typeof sent !== 'object' || Array.isArray(sent)) throw badRequest('config must be an object')
  const entries = Object.entries(sent).filter(([, value]) => value !== null && value !== undefined)
  for (const [key, value] of entries)
    if (!['string', 'boolean', 'number'].includes(typeof value) || String(value).length > LIMIT)
      throw badRequest(`${key} must be a text of at most ${LIMIT} characters`)
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]))
}

function checkConfig(config: Record<string, string>, outbound: Outbound): void {
  for (const key of needed) if (!config[key]) throw badRequest(`${key} is missing`)
  for (const key of addresses) {
    const problem = config[key] ? addressProblem(config[key], outbound) : undefined
    if (problem !== undefined) throw badRequest(`${key} ${problem}`)
  }
  const how = config.clientAuthMethod ?? 'client_secret_post'
  if (!['client_secret_post', 'client_secret_basic'].includes(how))
    throw notHere(`clientAuthMethod ${how} is not known to this identity server: it sends a client secret`)
  // Signatures are always checked, and against the keys of the provider.
  if (config.validateSignature === 'false') throw badRequest('validateSignature must be true')
}

function merge(sent: JsonObject, over: ProviderSettings, outbound: Outbound): ProviderSettings {
  const kind = sent.providerId ?? over.providerId
  if (!kinds.includes(String(kind)))
    throw notHere(
      `${String(kind).slice(0, 50)} is not known to this identity server: only OpenID Connect providers are`,
    )
  const { alias: _, internalId: __, config: ___, ...rest } = sent
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== null))
  for (const key of ['enabled', 'trustEmail', 'linkOnly', 'hideOnLogin'])
    if (key in given && typeof given[key] !== 'boolean') throw badRequest(`${key} must be true or false`)
  const { clientSecret: ____, ...config } = { ...over.config, ...configOf(sent.config) }
  checkConfig(config, outbound)
  const how = { validateSignature: 'true', useJwksUrl: 'true', pkceEnabled: 'true', pkceMethod: 'S256' }
  return { ...over, ...given, config: { ...config, ...how } }
}

function secretOf(sent: JsonObject): string | undefined {
  const { clientSecret } = configOf(sent.config)
  return clientSecret === undefined || clientSecret === HIDDEN ? undefined : clientSecret
}

const columns = 'alias, internal_id, settings, client_secret'

const opened = (db: Db, realmId: string, row: IdentityProvider): IdentityProvider => ({
  ...row,
  client_secret: row.client_secret && db.encryption.decrypt(placeOf(realmId, row.alias), row.client_secret),
})

/** Place on the sign-in page; those without one come last, by their aliases. */
const placeOn = ({ settings }: IdentityProvider) => {
  const { guiOrder = '' } = settings.config
  return /^\d{1,6}$/.test(guiOrder) ? Number(guiOrder) : 1e6
}

export async function listProviders(db: Db, realmId: string): Promise<IdentityProvider[]> {
  const rows = await db.rows<IdentityProvider>(
    `select ${columns} from identity_provider where realm_id = $1 order by alias`,
    [realmId],
  )
  return rows.map((row) => opened(db, realmId, row)).sort((one, other) => placeOn(one) - placeOn(other))
}

export async function findProvider(db: Db, realmId: string, alias: string): Promise<IdentityProvider | undefined> {
  if (alias.includes('\0')) return undefined
  const row = await db.row<IdentityProvider>(
    `select ${columns} from identity_provider where realm_id = $1 and alias = $2`,
    [realmId, alias],
  )
  return row && opened(db, realmId, row)
}

export async function requireProvider(db: Db, realmId: string, alias: string): Promise<IdentityProvider> {
  const found = await findProvider(db, realmId, alias)
  if (!found) throw notFound('Could not find identity provider')
  return found
}

export async function createProvider(db: Db, realmId: string, sent: JsonObject, outbound: Outbound): Promise<string> {
  const { alias } = sent
  if (typeof alias !== 'string' || !/^[a-z0-9][a-z0-9-]{0,62}$/.test(alias))
    throw badRequest('alias must be lower-case letters, digits and dashes')
  const settings = merge(sent, defaults, outbound)
  const secret = secretOf(sent)
  try {
    await db.run(
      `insert into identity_provider (realm_id, alias, internal_id, settings, client_secret) values ($1, $2, $3, $4, $5)`,
      [
        ...[realmId, alias, randomUUID(), JSON.stringify(settings)],
        secret ? db.encryption.encrypt(placeOf(realmId, alias), secret) : null,
      ],
    )
  } catch (error) {
    if (isDuplicate(error)) throw conflict(`Identity Provider ${alias} already exists`)
    throw error
  }
  return alias
}

export async function updateProvider(
  db: Db,
  realmId: string,
  provider: IdentityProvider,
  sent: JsonObject,
  outbound: Outbound,
): Promise<void> {
  const settings = merge(sent, provider.settings, outbound)
  const secret = secretOf(sent) ?? provider.client_secret
  await db.run('update identity_provider set settings = $3, client_secret = $4 where realm_id = $1 and alias = $2', [
    ...[realmId, provider.alias, JSON.stringify(settings)],
    secret ? db.encryption.encrypt(placeOf(realmId, provider.alias), secret) : null,
  ])
}

export async function deleteProvider(db: Db, realmId: string, alias: string): Promise<void> {
  await db.run('delete from identity_provider where realm_id = $1 and alias = $2', [realmId, alias])
}

/** A provider as the Admin API tells it: that there is a secret, and not which. */
export const providerToJson = ({ alias, internal_id, settings, client_secret }: IdentityProvider): JsonObject => ({
  ...{ alias, internalId: internal_id },
  ...settings,
  config: { ...settings.config, ...(client_secret === null ? {} : { clientSecret: HIDDEN }) },
})
