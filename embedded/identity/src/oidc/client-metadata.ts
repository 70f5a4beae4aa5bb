import type { AdapterPayload } from 'oidc-provider'
import type { Client } from '../directory/clients.ts'

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
  const grants = [
    ...(codeFlow ? ['authorization_code', 'refresh_token'] : []),
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
  } as AdapterPayload
}
