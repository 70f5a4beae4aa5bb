import { errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import type { Client } from '../directory/clients.ts'

/** The one resource that the protocol engine makes access tokens for; naming it makes them JWTs. No token says it. */
export const API_RESOURCE = 'urn:quayside-api'

const textList = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Names of the scopes that a client may ask for: those of its own lists, and the one that makes it OpenID Connect. */
export function scopesOf(client: Client): string[] {
  const { defaultClientScopes, optionalClientScopes } = client.settings
  return [...new Set(['openid', ...textList(defaultClientScopes), ...textList(optionalClientScopes)])].filter(
    (name) => name !== OFFLINE,
  )
}

const OFFLINE = 'offline_access'
const partsOf = (scope: unknown) => (typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [])

/**
 * Refuses scopes that a client does not have, as Keycloak does. Nobody is told to stay signed in and then signed out
 * with the session: offline tokens are refused as well.
 * @throws errors.InvalidScope
 */
export function checkScopes(asked: unknown, allowed: readonly string[]): void {
  const names = partsOf(asked)
  if (names.includes(OFFLINE))
    throw new errors.InvalidScope('offline_access: this identity server issues no offline tokens', OFFLINE)
  const unknown = names.filter((name) => !allowed.includes(name))
  if (unknown.length > 0) throw new errors.InvalidScope(`Invalid scopes: ${names.join(' ')}`, unknown.join(' '))
}

/** Scopes of the client ride along in its metadata, since the engine asks about each token. */
const allowedOf = (client: { metadata(): Record<string, unknown> }) => textList(client.metadata().client_scopes)

export function describeResource(
  ctx: KoaContextWithOIDC,
  resource: string,
  client: { metadata(): Record<string, unknown> },
): ResourceServer {
  if (resource !== API_RESOURCE) throw new errors.InvalidTarget()
  const allowed = allowedOf(client)
  const { params, body } = ctx.oidc
  // The engine drops `offline_access` without a word where nobody is asked: what was sent is looked at as well.
  checkScopes(ctx.query.scope ?? body?.scope, allowed)
  checkScopes(params?.scope, allowed)
  return {
    scope: allowed.join(' '),
    audience: API_RESOURCE,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  }
}

/** Those of the asked scopes that the client may have. */
export const grantedScopes = (client: Client, asked: string) => {
  const allowed = scopesOf(client)
  return partsOf(asked)
    .filter((name) => allowed.includes(name))
    .join(' ')
}
