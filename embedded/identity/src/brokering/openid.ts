import * as openid from 'openid-client'
import { isUnfit } from '../directory/unfit-text.ts'
import type { Foreign } from './identities.ts'
import { boundedFetch, isAllowed, type Outbound, Unreachable } from './outbound.ts'
import type { IdentityProvider } from './providers.ts'

const TIMEOUT_SECONDS = 10

function configurationOf({ settings, client_secret }: IdentityProvider, outbound: Outbound): openid.Configuration {
  const { config } = settings
  const { issuer = '', clientId = '', tokenUrl = '', clientAuthMethod } = config
  const metadata = {
    ...{ issuer, authorization_endpoint: config.authorizationUrl, token_endpoint: tokenUrl, jwks_uri: config.jwksUrl },
    ...(config.userInfoUrl ? { userinfo_endpoint: config.userInfoUrl } : {}),
  }
  const auth =
    client_secret === null
      ? openid.None()
      : clientAuthMethod === 'client_secret_basic'
        ? openid.ClientSecretBasic(client_secret)
        : openid.ClientSecretPost(client_secret)
  const made = new openid.Configuration(metadata as openid.ServerMetadata, clientId, {}, auth)
  made.timeout = TIMEOUT_SECONDS
  made[openid.customFetch] = boundedFetch(outbound) as openid.CustomFetch
  openid.enableNonRepudiationChecks(made)
  // An address in clear was refused when it was saved, unless the operator allows it.
  if (tokenUrl.startsWith('http:') && isAllowed(new URL(tokenUrl), outbound)) openid.allowInsecureRequests(made)
  return made
}

/** Secrets of one request: some come back with the answer, all stay with us until then. */
export interface Secrets {
  state: string
  nonce: string
  verifier: string
}

export const newSecrets = (): Secrets => ({
  state: openid.randomState(),
  nonce: openid.randomNonce(),
  verifier: openid.randomPKCECodeVerifier(),
})

interface Request {
  provider: IdentityProvider
  outbound: Outbound
  redirectUri: string
  secrets: Secrets
}

/** The address at the provider to which the browser is sent. */
export async function requestAddress({ provider, outbound, redirectUri, secrets }: Request): Promise<string> {
  const { defaultScope = 'openid profile email' } = provider.settings.config
  const scope = [...new Set(['openid', ...defaultScope.split(' ').filter(Boolean)])].join(' ')
  const url = openid.buildAuthorizationUrl(configurationOf(provider, outbound), {
    ...{ redirect_uri: redirectUri, scope, state: secrets.state, nonce: secrets.nonce },
    code_challenge: await openid.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
  })
  return url.href
}

const text = (value: unknown, most = 255): string | null =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most && !isUnfit(value) ? value.trim() : null

/** Exchanges the code and checks who it is for; throws what the provider said or did wrong. */
export async function exchange(
  { provider, outbound, redirectUri, secrets }: Request,
  query: URLSearchParams,
): Promise<{ foreign: Foreign; claims: Record<string, unknown> }> {
  const configuration = configurationOf(provider, outbound)
  const url = new URL(redirectUri)
  url.search = query.toString()
  const tokens = await openid.authorizationCodeGrant(configuration, url, {
    ...{ pkceCodeVerifier: secrets.verifier, expectedState: secrets.state, expectedNonce: secrets.nonce },
    idTokenExpected: true,
  })
  const said = tokens.claims()
  const subject = text(said?.sub)
  if (!said || subject === null) throw new Unreachable('the provider does not say who it is')
  const { userInfoUrl, disableUserInfo } = provider.settings.config
  const more =
    userInfoUrl && disableUserInfo !== 'true'
      ? await openid.fetchUserInfo(configuration, tokens.access_token, said.sub)
      : {}
  // Signed claims count before those that are not.
  const claims: Record<string, unknown> = { ...more, ...said }
  const email = text(claims.email)
  return {
    claims,
    foreign: {
      ...{ alias: provider.alias, subject, email: email && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email) ? email : null },
      username: text(claims.preferred_username) ?? email ?? subject,
      emailVerified: claims.email_verified === true,
      ...{ firstName: text(claims.given_name), lastName: text(claims.family_name) },
    },
  }
}
