import type { JWK } from 'jose'
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { findClient } from '../directory/clients.ts'
import type { Realm } from '../directory/realms.ts'
import { findUser } from '../directory/users.ts'
import { renderErrorPage } from '../pages/error-page.ts'
import type { Db } from '../storage/database.ts'
import { dressAccessToken, tokenClaims } from './access-token.ts'
import { artifactStore } from './artifact-store.ts'
import { profileClaims } from './claims.ts'
import { clientMetadata } from './client-metadata.ts'
import { DEVICE_PATH, deviceFlow } from './grant-types/device-flow.ts'
import { registerPasswordGrant } from './grant-types/password-grant.ts'
import { registerTokenExchange } from './grant-types/token-exchange.ts'
import { registerUmaGrants } from './grant-types/uma-grant.ts'
import { existingGrant } from './grants.ts'
import { signInPolicy } from './interaction-policy.ts'
import { recordProviderEvents } from './provider-events.ts'
import { redirectAllowed } from './redirect-uris.ts'
import { API_RESOURCE, describeResource } from './scopes.ts'

interface ProviderOptions {
  db: Db
  realm: Realm
  issuer: string
  keys: JWK[]
  report: (error: Error) => void
}

export const PROTOCOL_PATH = '/protocol/openid-connect'

const profile = [
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'email',
  'email_verified',
  'user_id',
  'homescreen',
  'currency',
]

const routes = {
  authorization: `${PROTOCOL_PATH}/auth`,
  token: `${PROTOCOL_PATH}/token`,
  userinfo: `${PROTOCOL_PATH}/userinfo`,
  jwks: `${PROTOCOL_PATH}/certs`,
  end_session: `${PROTOCOL_PATH}/logout`,
  revocation: `${PROTOCOL_PATH}/revoke`,
  introspection: `${PROTOCOL_PATH}/token/introspect`,
  device_authorization: `${PROTOCOL_PATH}/auth/device`,
  code_verification: DEVICE_PATH,
  pushed_authorization_request: `${PROTOCOL_PATH}/ext/par/request`,
}

const secondsLeft = (startedAt: number, lifespan: number) =>
  Math.max(1, startedAt + lifespan - Math.floor(Date.now() / 1000))

function lifetimes(realm: Realm): NonNullable<Configuration['ttl']> {
  const { settings } = realm
  const sinceStart = (startedAt: number | undefined) =>
    secondsLeft(startedAt ?? Math.floor(Date.now() / 1000), settings.ssoSessionMaxLifespan)
  return {
    AccessToken: settings.accessTokenLifespan,
    ClientCredentials: settings.accessTokenLifespan,
    AuthorizationCode: settings.accessCodeLifespan,
    IdToken: settings.accessTokenLifespan,
    Interaction: settings.accessCodeLifespanLogin,
    Grant: settings.ssoSessionMaxLifespan,
    DeviceCode: settings.oauth2DeviceCodeLifespan,
    Session: (_ctx, session) => sinceStart(session.loginTs),
    RefreshToken: (_ctx, token) => Math.min(settings.ssoSessionIdleTimeout, sinceStart(token.iiat)),
  }
}

/** The provider takes only an answer at once, so the origins ride along in the client's metadata. */
function corsAllowed(origin: string, client: { metadata(): Record<string, unknown> }): boolean {
  const origins = client.metadata().web_origins
  return Array.isArray(origins) && origins.includes(origin)
}

/** Tells whether a token is older than what the realm or the client still takes. */
function isTakenBack(ctx: KoaContextWithOIDC, realm: Realm, token: { iat?: number } | undefined): boolean {
  const ofClient = Number(ctx.oidc.client?.metadata().not_before ?? 0)
  return token?.iat !== undefined && token.iat < Math.max(realm.settings.notBefore, ofClient)
}

function features({ realm, issuer }: ProviderOptions): Configuration['features'] {
  return {
    deviceFlow: deviceFlow(realm, issuer),
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) =>
        Array.isArray(oneOf) ? (oneOf[0] ?? API_RESOURCE) : (oneOf ?? API_RESOURCE),
      useGrantedResource: () => true,
      getResourceServerInfo: describeResource,
    },
  }
}

function configuration(options: ProviderOptions): Configuration {
  const { db, realm, issuer, keys } = options
  const cookiePath = `${new URL(issuer).pathname}/`
  // Kept to the path of the realm, which a name with __Host- would not allow: the portal itself never sees them.
  const isHttps = issuer.startsWith('https:')
  const cookies = { httpOnly: true, sameSite: 'lax', signed: true, secure: isHttps } as const
  const prefix = isHttps ? '__Secure-' : ''
  const findRegistered = async (clientId: string) => {
    const client = await findClient(db, realm.id, clientId)
    return client && clientMetadata(client)
  }
  return {
    adapter: (model) =>
      artifactStore(model, {
        db,
        realmId: realm.id,
        sessionIdle: () => realm.settings.ssoSessionIdleTimeout,
        findClient: findRegistered,
      }),
    jwks: { keys },
    routes,
    ttl: lifetimes(realm),
    features: features(options),
    scopes: ['openid', 'profile', 'email', 'roles', 'web-origins', 'basic', 'address', 'phone'],
    claims: {
      openid: ['sub', ...profile],
      profile,
      email: ['email', 'email_verified'],
      sid: null,
      auth_time: null,
      acr: null,
    },
    conformIdTokenClaims: false,
    acrValues: ['0', '1'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    pkce: { required: (_ctx, client) => client.tokenEndpointAuthMethod === 'none' },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    extraClientMetadata: { properties: ['web_origins', 'client_scopes', 'not_before'] },
    clientBasedCORS: (_ctx, origin, client) => corsAllowed(origin, client),
    cookies: {
      names: {
        session: `${prefix}IDENTITY_SESSION`,
        interaction: `${prefix}IDENTITY_SIGN_IN`,
        resume: `${prefix}IDENTITY_RESUME`,
      },
      long: { ...cookies, path: cookiePath },
      short: cookies,
      keys: [realm.cookie_secret],
    },
    discovery: {
      check_session_iframe: `${issuer}${PROTOCOL_PATH}/login-status-iframe.html`,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    },
    interactions: {
      policy: signInPolicy(db, realm),
      url: (_ctx, interaction) => `${issuer}/login-actions/${interaction.uid}`,
    },
    async findAccount(ctx, sub, token) {
      const user = await findUser(db, realm.id, sub)
      if (!user?.enabled || isTakenBack(ctx, realm, token)) return undefined
      return { accountId: user.id, claims: () => ({ sub: user.id, ...profileClaims(user) }) }
    },
    loadExistingGrant: (ctx) => existingGrant(db, realm, ctx),
    extraTokenClaims: (_ctx, token) => tokenClaims(db, realm, token),
    formats: { customizers: { jwt: dressAccessToken } },
    renderError: (ctx, out) => renderErrorPage(ctx, realm, out, issuer),
  }
}

function nameOfSession(this: Provider['Session']['prototype'], clientId: string, value?: string): string | undefined {
  if (value !== undefined)
    this.authorizations = { ...this.authorizations, [clientId]: { ...this.authorizations?.[clientId] } }
  return this.authorizations?.[clientId] === undefined ? undefined : this.uid
}

/** The protocol engine of one realm, answering at Keycloak's paths. */
export function createProvider(options: ProviderOptions): Provider {
  const { db, realm, issuer, keys, report } = options
  const provider = new Provider(issuer, configuration(options))
  // Host and scheme are set from the public address before a request gets here, so that they can be believed.
  provider.proxy = true
  const ownOrigin = new URL(issuer).origin
  provider.Client.prototype.redirectUriAllowed = function covered(uri: string) {
    return redirectAllowed(uri, this.redirectUris ?? [], ownOrigin)
  }
  // A session has the same name everywhere, as in Keycloak: in its tokens, in the Admin API and in logout tokens.
  provider.Client.prototype.includeSid = () => true
  provider.Session.prototype.sidFor = nameOfSession as typeof provider.Session.prototype.sidFor
  registerUmaGrants(provider, db, realm)
  registerPasswordGrant(provider, db, realm)
  registerTokenExchange(provider, { db, realm, issuer, keys })
  recordProviderEvents(provider, db, realm, report)
  return provider
}
