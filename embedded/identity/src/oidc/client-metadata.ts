import type { AdapterPayload } from 'oidc-provider'
import type { Client } from '../directory/clients.ts'
import { scopesOf } from './scopes.ts'

export const PASSWORD_GRANT = 'password'
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
export const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'

export const UMA_GRANTS = ['urn:ietf:params:oauth:grant-type:uma-ticket', 'uma-ticket']

/** Where a client may send the browser after signing out: its own list, or its sign-in addresses. */
export function postLogoutUris(client: Client): string[] {
  const listed = client.settings.attributes['post.logout.redirect.uris']
  if (listed === '-') return []
  if (!listed || listed === '+') return client.settings.redirectUris
  return listed.split('##').flatMap((uri) => (uri === '+' ? client.settings.redirectUris : [uri]))
}

/** Origins that may call the token endpoints from a page. */
export function webOrigins(client: Client): string[] {
  return client.settings.webOrigins.flatMap((origin) =>
    origin === '+' ? client.settings.redirectUris.map((uri) => URL.parse(uri)?.origin ?? '') : [origin],
  )
}

/** A client of the directory in the words of OpenID Connect registration; undefined when it may not use tokens at all. */
export function clientMetadata(client: Client): AdapterPayload | undefined {
  const { settings } = client
  if (!settings.enabled || settings.bearerOnly) return undefined
  const codeFlow = settings.standardFlowEnabled && settings.redirectUris.length > 0
  const isOn = (attribute: string) => settings.attributes[attribute] === 'true'
  const password = settings.directAccessGrantsEnabled && !settings.consentRequired
  const device = isOn('oauth2.device.authorization.grant.enabled')
  const grants = [
    ...(codeFlow ? ['authorization_code'] : []),
    ...(password ? [PASSWORD_GRANT] : []),
    ...(device ? [DEVICE_GRANT] : []),
    ...(codeFlow || password || device ? ['refresh_token'] : []),
    ...(isOn('standard.token.exchange.enabled') && !settings.publicClient ? [EXCHANGE_GRANT] : []),
    ...(settings.serviceAccountsEnabled && !settings.publicClient ? ['client_credentials'] : []),
    ...UMA_GRANTS,
  ]
  return {
    client_id: client.client_id,
    ...(client.secret === null ? {} : { client_secret: client.secret }),
    client_name: settings.name ?? client.client_id,
    token_endpoint_auth_method: settings.publicClient ? 'none' : 'client_secret_basic',
    grant_types: grants,
    response_types: codeFlow ? ['code'] : [],
    redirect_uris: codeFlow ? settings.redirectUris : [],
    post_logout_redirect_uris: [],
    web_origins: webOrigins(client),
    client_scopes: scopesOf(client),
    not_before: settings.notBefore,
  } as AdapterPayload
}
